/** Reads PDF beside the page: a file that takes long or breaks its reader leaves the page alone. */
import 'pdfjs-dist/build/pdf.worker.min.mjs';
