/** As vectors of MiniLM are recorded: known without its code, which is loaded when it is used. */
export const miniLmModel = 'all-MiniLM-L6-v2-int8';
