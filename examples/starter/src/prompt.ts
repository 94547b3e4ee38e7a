/** What `npm start` asks for, whichever model answers. */
export const prompt =
  'GET /api/status says that the server has been up for "1h 65m"; it should be "1h 5m". Find out why and fix it. ' +
  'Then add GET /api/health, which answers { "ok": true }, and a test file for the formatting. Check your work with bash.';
