/** Files that the bundler turns into the addresses they are served at. */
declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.css';
declare module '*.wasm' {
  const address: string;
  export default address;
}
