// A client that protoc-gen-es has generated reads, writes and watches. `node client.mjs URL`; prints one JSON object.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { Jobs, JobState } from "./gen/proofbase/v1/jobs_pb.js";
import { Solutions } from "./gen/proofbase/v1/solutions_pb.js";
import { Format, Transfer } from "./gen/proofbase/v1/transfer_pb.js";

const found = {};
for (const useBinaryFormat of [true, false]) {
  const transport = createConnectTransport({ baseUrl: process.argv[2], httpVersion: "1.1", useBinaryFormat });
  const solutions = createClient(Solutions, transport);
  const jobs = createClient(Jobs, transport);
  const transfer = createClient(Transfer, transport);

  const answer = await solutions.lookup({ game: "tic-tac-toe", where: { case: "position", value: "5" } });
  const batch = await solutions.batchLookup({
    game: "tic-tac-toe",
    positions: { case: "texts", value: { positions: ["5", "zz"] } },
  });
  const job = await jobs.startSolve({ game: "connect-four:4x4" });
  const states = [];
  let last;
  for await (const state of jobs.watch({ id: job.id })) {
    states.push(JobState[state.state]);
    last = state;
  }
  let bytes = 0;
  const request = { game: "tic-tac-toe", below: { case: "position", value: "5" }, format: Format.CERTIFICATE };
  for await (const chunk of transfer.export(request)) bytes += chunk.data.length;
  let refused = "";
  try {
    await solutions.lookup({ game: "nope" });
  } catch (error) {
    refused = error instanceof ConnectError ? Code[error.code] : String(error);
  }
  found[useBinaryFormat ? "protobuf" : "json"] = {
    value: [answer.value.lower, answer.value.upper],
    key: Buffer.from(answer.key).toString("hex"),
    statuses: batch.items.map((item) => item.status),
    last: states.at(-1),
    records: Number(last.result.value.records),
    exact: last.result.value.value.exact,
    bytes,
    refused,
  };
}
console.log(JSON.stringify(found));
