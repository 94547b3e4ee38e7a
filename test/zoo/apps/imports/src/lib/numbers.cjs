module.exports = [1, 2, 3];
