/** A picture of this device as the service takes it: in Base64, and not larger than it would be shown. */

/** Of a body; what is larger is drawn again here. */
const mostBytes = 750_000;
const mostPixels = 1_280;
const takenTypes = ['image/jpeg', 'image/png', 'image/webp'];

const base64Of = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

const drawSmaller = async (file: Blob): Promise<Blob | undefined> => {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, mostPixels / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', 0.9));
};

/** Undefined: the browser cannot read the file. */
export const pictureText = async (file: File): Promise<string | undefined> => {
  if (takenTypes.includes(file.type) && file.size <= mostBytes) return base64Of(file);
  try {
    const drawn = await drawSmaller(file);
    return drawn === undefined ? undefined : await base64Of(drawn);
  } catch {
    return undefined;
  }
};
