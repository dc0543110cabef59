import { graph } from "backsweep";
import { lstmLoss } from "./problems/lstm.js";

// One layer of two units over four vectors. The parameters are used once a step, so each is paid three times; hidden and cell
// states are the chain that carries a cotangent back through time.
const data = {
  state: [
    [0.48519097443163506, 0.9807371998012386],
    [0.9616571936637868, 0.7247899407735336],
  ],
  sequence: [
    [0.0, 1.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [0.0, 0.0],
  ],
};

export const lstm = graph(
  {
    main: [
      0.5118216247002567, 0.9504636963259353, 0.14415961271963373, 0.9486494471372439, 0.31183145201048545,
      0.42332644897257565, 0.8277025938204418, 0.4091991363691613, 0.5495936876730595, 0.027559113243068367,
      0.7535131086748066, 0.5381433132192782, 0.32973171649909216, 0.7884287034284043, 0.303194829291645,
      0.4534978894806515,
    ],
    extra: [
      0.13404169724716475, 0.40311298644712923, 0.20345524067614962, 0.2623133404418495, 0.7503646726300526,
      0.2804087579860399,
    ],
  },
  (parameters) => lstmLoss(parameters, data),
);
