exports.greet = function greet(name) {
  return `Hello, ${name}`;
};
exports.count = require("./numbers.cjs").length;
