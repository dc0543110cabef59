/**
 * The page the panel is made of, as text: the host hands it to VS Code. No script or style stands in it; both are files
 * named by the content security policy. There is no DOM here, so that the host can import it.
 */
export interface ShellOptions {
  /** fresh for every page */
  readonly nonce: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly title: string;
}

function escape(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}

/** Everything is refused but our script by its nonce and styles, fonts and pictures of our own origin. */
export function contentSecurityPolicy(nonce: string, cspSource: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

export function shellHtml({ nonce, cspSource, scriptUri, styleUri, title }: ShellOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(contentSecurityPolicy(nonce, cspSource))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(styleUri)}" nonce="${escape(nonce)}">
<title>${escape(title)}</title>
</head>
<body>
<div id="app" class="app">
<header id="header" class="header"></header>
<div id="banner" class="banner" role="status" tabindex="-1"></div>
<main id="main" class="main" aria-label="Reverse sweep">
<div id="panel-graph" class="panel-graph" role="tabpanel" aria-labelledby="tab-graph">
<section id="graph" class="graph" aria-label="Graph"></section>
<section id="inspector" class="inspector" aria-label="Inspector" tabindex="0"></section>
</div>
</main>
<footer id="player" class="player"></footer>
<section id="face" class="face" aria-label="Status" aria-live="polite" tabindex="-1"><p>Loading…</p></section>
</div>
<div id="live" class="hidden" role="status" aria-live="polite" aria-atomic="true"></div>
<script nonce="${escape(nonce)}" src="${escape(scriptUri)}"></script>
</body>
</html>
`;
}
