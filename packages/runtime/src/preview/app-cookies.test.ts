import { expect, test } from "vitest";
import { cookieOut, cookiesIn } from "./app-cookies.ts";

test.each([
  ["a=1", "__Host-app-a=1; Path=/; Secure"],
  ["a=1; Path=/x; Domain=example.com; HttpOnly; Max-Age=60", "__Host-app-a=1; Path=/; Secure; HttpOnly; Max-Age=60"],
  ["a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "__Host-app-a=; Path=/; Secure; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
  ["__Host-sid=x=y; Secure; SameSite=Lax", "__Host-app-__Host-sid=x=y; Path=/; Secure; SameSite=Lax"],
  ["no-name", undefined],
  ["=value", undefined],
  ["", undefined],
])("an app sets %s", (header, expected) => {
  expect(cookieOut(header)).toBe(expected);
});

test.each([
  [
    "what the app set, and nothing else",
    "agent=1; __Host-app-a=1; __Host-tenrec-preview=t; __Host-app-b=2",
    "a=1; b=2",
  ],
  ["nothing of another's", "agent=1; app-a=1; x__Host-app-a=1", undefined],
  ["nothing", null, undefined],
])("an app is sent %s", (_name, header, expected) => {
  expect(cookiesIn(header)).toBe(expected);
});
