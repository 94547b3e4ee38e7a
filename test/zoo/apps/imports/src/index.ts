import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import path from "node:path";
import { greet, count } from "the-greeting";
import config from "#config";
import { Color, Size, Stack, math, nameOf, type Item } from "@lib";
import { Geometry } from "@/shapes/geometry";
import { Circle, registered } from "./shapes/decorated";
import add from "./content/add.wasm";
import data from "./content/data.bin";
import notes from "./content/notes.txt";
import page from "./content/page.html";
import query from "./content/query.sql";

const instance = await WebAssembly.instantiate(add);
const wasmAdd = instance.exports["add"] as (a: number, b: number) => number;

const answers: Record<string, () => unknown> = {
  "/json": () => config,
  "/text": () => [notes, page.replace("{{name}}", config.name), query.trim()],
  "/bin": () => [...new Uint8Array(data)],
  "/wasm": () => wasmAdd(40, 2),
  "/commonjs": () => [greet("Zoo"), count],
  "/typescript": () => {
    const stack = new Stack<Item>("stack").push({ value: 1 }).push({ value: 2 }).push({ value: 4 });
    return [Color.Blue, nameOf(Color.Green), Size.Large, `${stack}`.replace(/#\d+/, "#"), "hint" in stack, math.double(4), math.half(5)];
  },
  "/namespace": () => [Geometry.distance({ x: 3, y: 4 }), Geometry.Units.perInch],
  "/decorators": () => [registered, new Circle(2).describe()],
  "/node": () => [createHash("sha256").update("zoo").digest("hex").slice(0, 8), path.posix.join("a", "..", "b"), Buffer.from("zoo").toString("base64")],
};

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/dynamic") {
      const name = "math";
      const { double } = await import("./lib/math");
      return Response.json([name, double(21)]);
    }
    const answer = answers[pathname];
    return answer ? Response.json(await answer()) : Response.json(Object.keys(answers), { status: 404 });
  },
};
