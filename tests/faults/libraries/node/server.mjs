// What every program here shares: an address, two pages, and answers that the test reads.
import { createServer } from 'node:http';

/** From the test: where Septet is, the client, and the settings that are tried. */
export const { issuer, clientId, clientSecret, settings } = JSON.parse(process.env.APPLICATION);

export const messageOf = (error) => error.error_description ?? error.cause?.message ?? error.message;

export const announce = (server) => console.log(`listening ${server.address().port}`);

/** `pages` is called with the application's address. A page answers with `location`, or with what the sign-in came to. */
export const serve = (pages) => {
  const server = createServer((request, response) => {
    const home = `http://127.0.0.1:${server.address().port}`;
    const url = new URL(request.url, home);
    const answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const page = { '/login': pages.login, '/callback': pages.callback }[url.pathname];
    if (page === undefined) return answer(404, {});
    page(home, url)
      .then(({ location, ...result }) =>
        location === undefined ? answer(200, result) : response.writeHead(302, { location }).end(),
      )
      .catch((error) => answer(500, { error: messageOf(error) }));
  });
  server.listen(0, '127.0.0.1', () => announce(server));
};
