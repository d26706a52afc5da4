/** Bare express that answers the bytes which it is given: the first argument in base64, with the second as their type. */
import express from 'express';

const [, , content = '', type = ''] = process.argv;
const bytes = Buffer.from(content, 'base64');

const server = express()
  .get('/', (_, response) => void response.type(type).send(bytes))
  .listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    process.stdout.write(`${JSON.stringify({ listening: `127.0.0.1:${port}` })}\n`);
  });
