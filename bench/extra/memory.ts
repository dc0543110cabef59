/** Memory of a chain of a million operations, each engine in a fresh process: what the process peaked at above its start. */
import { BYTES_A_NODE, BYTES_OF_CONTRIBUTIONS } from "../../engine/recording/columns.js";
import { EngineProcess } from "../process/parent.js";
import type { Figure, Measurement } from "./section.js";

const subjects = [
  { id: "handles", title: "handles" },
  { id: "graph", title: "graph(), swept, without the trace's tables" },
  { id: "object-graph", title: "object graph" },
];

async function peak(engine: string, title: string, length: number): Promise<Figure> {
  const figure = { what: `measured peak, ${title}`, unit: "bytes a node" };
  const process = new EngineProcess(engine, `chain-${length}`, "chain-300");
  try {
    const reply = await process.reply();
    if (reply.kind !== "ready") return { ...figure, value: null, note: "did not run" };
    return { ...figure, value: (reply.peakKb * 1024) / length };
  } finally {
    process.end();
  }
}

export const memory: Measurement = async ({ smoke }) => {
  const figures: Figure[] = [
    {
      what: "tape of a recording: opcode, operands, value, cotangent, site",
      value: BYTES_A_NODE,
      unit: "bytes a node",
      goal: 33,
    },
    {
      what: "the two contributions of a binary node",
      value: BYTES_OF_CONTRIBUTIONS,
      unit: "bytes a node",
      goal: 16,
    },
  ];
  for (const { id, title } of smoke ? subjects.slice(0, 1) : subjects)
    figures.push(await peak(id, title, smoke ? 10_000 : 1_000_000));
  return figures;
};
