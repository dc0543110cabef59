/** Styles are imported for the bundler, which writes them to a file of their own. */
declare module "*.css";
