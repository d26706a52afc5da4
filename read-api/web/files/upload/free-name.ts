/** The name under which a file is stored beside another one of its name: `Lease (2).pdf`. */

const partsOf = (name: string): { readonly stem: string; readonly ending: string } => {
  const at = name.lastIndexOf('.');
  return at > 0 ? { stem: name.slice(0, at), ending: name.slice(at) } : { stem: name, ending: '' };
};

/** What every such name begins with. */
export const stemOf = (name: string): string => partsOf(name).stem.replace(/ \(\d{1,6}\)$/, '');

/** The first that is free. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  const { ending } = partsOf(name);
  const stem = stemOf(name);
  for (let number = 2; ; number += 1) {
    const wanted = `${stem} (${number})${ending}`;
    if (!taken.has(wanted)) return wanted;
  }
};
