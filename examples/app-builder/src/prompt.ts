/** What `npm run app-builder` asks for, whichever model answers. */
export const prompt =
  "Build a guest book: a page with a form for a name and a message, and the list of all messages, newest first. " +
  "Keep them in KV. Try it out before you say that it works.";
