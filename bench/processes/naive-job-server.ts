import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createPool } from 'mysql2/promise';
import { idToBytes } from '../../src/platform/ids/uuid.js';

/**
 * Answers the results of a job naively: reads all rows into an array and calls `JSON.stringify`. Gets a database URL;
 * the path is the job's id. Sends its URL to its parent, and exits with it.
 */
async function main(): Promise<void> {
  const pool = createPool({ uri: process.argv[2] ?? '' });
  const answer = async (id: string, response: ServerResponse): Promise<void> => {
    const [rows] = await pool.query('SELECT results FROM job_results WHERE job_id = ? ORDER BY position', [
      idToBytes(id),
    ]);
    const lines = (rows as { results: string }[]).flatMap((row) => row.results.split('\n'));
    const results = lines.map((result) => JSON.parse(result) as object);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ id, status: 'completed', total: results.length, results }));
  };
  const server = createServer((request, response) => {
    void answer((request.url ?? '').slice(1), response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => {
    server.close();
    void pool.end();
  });
  process.send?.(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
}

void main();
