export { qrLabelPdf, type QrLabel } from './label-pdf.js';
export { qrPng } from './png.js';
export { qrSvg } from './svg.js';
export { qrTerminal } from './terminal.js';
