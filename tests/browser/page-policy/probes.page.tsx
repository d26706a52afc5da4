/** Tries what a policy decides, and shows for each whether it worked. */
import { useEffect, useState } from 'preact/hooks';
import { openBlobWorker, openWorker } from '../../../read-api/web/kernel/worker';

declare const STORE_URL: string;

/** One silent second. */
const wav = (): Blob => {
  const bytes = new DataView(new ArrayBuffer(44 + 8_000));
  const write = (at: number, text: string): void =>
    [...text].forEach((letter, index) => void bytes.setUint8(at + index, letter.charCodeAt(0)));
  write(0, 'RIFF');
  bytes.setUint32(4, 36 + 8_000, true);
  write(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, 8_000, true);
  bytes.setUint32(28, 8_000, true);
  bytes.setUint16(32, 1, true);
  bytes.setUint16(34, 8, true);
  write(36, 'data');
  bytes.setUint32(40, 8_000, true);
  return new Blob([bytes], { type: 'audio/wav' });
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

const loaded = (element: HTMLElement, event: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    element.addEventListener(event, resolve);
    element.addEventListener('error', reject);
  });

const image = (): Promise<unknown> => {
  const element = new Image();
  element.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  return loaded(element, 'load');
};

const media = (): Promise<unknown> => {
  const element = new Audio(URL.createObjectURL(wav()));
  element.preload = 'auto';
  return loaded(element, 'loadeddata');
};

const answerOf = (worker: Worker): Promise<MessageEvent<unknown>> =>
  new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = reject;
    worker.postMessage([1, 2, 3]);
  });

const ownWorker = async (): Promise<void> => {
  const { data } = await answerOf(openWorker('add'));
  if (JSON.stringify(data) !== '{"sum":6,"isCode":false}') throw new Error(JSON.stringify(data));
};

const probes: { readonly [name: string]: () => Promise<unknown> } = {
  image,
  media,
  ownWorker,
  blobWorker: () => answerOf(openBlobWorker(new Blob(['onmessage = () => postMessage(1)']))),
  webAssembly: () => WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])),
  store: () => fetch(STORE_URL),
  otherWorker: async () => new Worker('/console/assets/other.js'),
  code: async () => new Function('return 1')() as unknown,
  markup: async () => {
    document.createElement('div').innerHTML = '<b>x</b>';
  },
};

const allowed = async (probe: () => Promise<unknown>): Promise<boolean> => {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
};

export const ProbesPage = () => {
  const [names, setNames] = useState<readonly string[]>();
  useEffect(() => {
    const tried = Object.entries(probes).map(async ([name, probe]) => ((await allowed(probe)) ? [name] : []));
    void Promise.all(tried).then((all) => setNames(all.flat()));
  }, []);
  return (
    <main>
      <h1>{location.pathname}</h1>
      <p id="allowed">{names === undefined ? 'trying' : `allowed: ${names.join(' ')}`}</p>
      <a href="/console/plain/other">Other</a> <a href="/console/media/m-1">Media</a>{' '}
      <a href="/console/media/m-2">Next</a> <a href="/console/media/new">New</a>
    </main>
  );
};
