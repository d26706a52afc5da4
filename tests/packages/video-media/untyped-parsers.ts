/** Parsers of manifests that have no types of their own: of them what tests use. */
interface M3u8Parser {
  readonly push: (text: string) => void;
  readonly end: () => void;
  readonly manifest: { readonly segments: readonly { readonly duration: number }[]; readonly endList: boolean };
}

export const m3u8 = require('m3u8-parser') as { readonly Parser: new () => M3u8Parser };

export const mpd = require('mpd-parser') as {
  readonly parse: (
    text: string,
    options: { readonly manifestUri: string },
  ) => {
    readonly duration: number;
    readonly playlists: readonly { readonly segments: readonly { readonly duration: number }[] }[];
  };
};
