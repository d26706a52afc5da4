/** Adds numbers, compiles WebAssembly, and tries what no worker may. */
declare const self: {
  onmessage: ((event: { readonly data: readonly number[] }) => void) | null;
  readonly postMessage: (message: unknown) => void;
};

export {};

const emptyModule = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

const isCode = (): boolean => {
  try {
    return new Function('return true')() as boolean;
  } catch {
    return false;
  }
};

self.onmessage = ({ data }) => {
  const sum = data.reduce((total, one) => total + one, 0);
  void WebAssembly.compile(emptyModule).then(() => self.postMessage({ sum, isCode: isCode() }));
};
