// Asks the server: pages, calls of the protocol as JSON, events. The token, where there is one, goes with each of them.

const KEY = "proofbase-token";

export function token() {
  return sessionStorage.getItem(KEY) ?? "";
}

export function keepToken(text) {
  if (text) sessionStorage.setItem(KEY, text);
  else sessionStorage.removeItem(KEY);
}

export function ask(url, options = {}) {
  const headers = { ...options.headers };
  if (token()) headers.authorization = `Bearer ${token()}`;
  return fetch(url, { ...options, headers });
}

/** A call such as `Jobs/StartSolve`: its answer; an Error with the server's message where it is refused. */
export async function call(name, request) {
  const response = await ask(`/proofbase.v1.${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? `the server answered with ${response.status}`);
  return answer;
}

/** A call with a stream of requests and one answer: enveloped messages, as the Connect protocol has them. */
export async function stream(name, requests) {
  const frames = requests.map((request) => new TextEncoder().encode(JSON.stringify(request)));
  const body = new Uint8Array(frames.reduce((sum, frame) => sum + 5 + frame.length, 0));
  let end = 0;
  for (const frame of frames) {
    new DataView(body.buffer).setUint32(end + 1, frame.length);
    body.set(frame, end + 5);
    end += 5 + frame.length;
  }
  const headers = { "content-type": "application/connect+json", "connect-protocol-version": "1" };
  const response = await ask(`/proofbase.v1.${name}`, { method: "POST", headers, body });
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).message ?? `${response.status}`);
  const received = new DataView(await response.arrayBuffer());
  let answer = null;
  for (let start = 0; start < received.byteLength; ) {
    const size = received.getUint32(start + 1);
    const message = JSON.parse(new TextDecoder().decode(new Uint8Array(received.buffer, start + 5, size)) || "{}");
    if (received.getUint8(start) & 2) {
      if (message.error) throw new Error(message.error.message);
    } else answer = message;
    start += 5 + size;
  }
  return answer;
}

/** The server-sent events of a URL, as objects with `event` and `data` (read as JSON). */
export async function* events(url, signal) {
  const response = await ask(url, { signal });
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).message ?? `${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      const fields = {};
      for (const line of text.slice(0, end).split("\n")) {
        const colon = line.indexOf(":");
        if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trim();
      }
      text = text.slice(end + 2);
      if (fields.event) yield { event: fields.event, data: JSON.parse(fields.data ?? "null") };
    }
  }
}

/** A page of the server as a document, and where it is after redirections. */
export async function page(url) {
  const response = await ask(url, { headers: { accept: "text/html" } });
  const text = await response.text();
  return { url: response.url, status: response.status, document: new DOMParser().parseFromString(text, "text/html") };
}
