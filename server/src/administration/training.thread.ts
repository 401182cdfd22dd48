import { train } from '@sosia/engine';
import { serveThread } from '../workers/thread.ts';

serveThread({ train });
