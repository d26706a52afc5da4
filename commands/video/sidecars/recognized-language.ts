/** Of the model that recognizes speech (Whisper tiny.en). */
export const recognizedLanguage = 'en';
