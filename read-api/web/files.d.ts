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
declare module '*.pfb' {
  const address: string;
  export default address;
}
declare module '*.ttf' {
  const address: string;
  export default address;
}
declare module 'pdfjs-dist/build/pdf.worker.min.mjs';
