// Files of this repository as text, which Vite gives a test in Node and in workerd alike.
declare module "*?raw" {
  const text: string;
  export default text;
}
