import { EventStoreDBClient } from '@eventstore/db-client';
import { benchEvent } from './eventstore/events';
(async()=>{
 const c = EventStoreDBClient.connectionString(`esdb://127.0.0.1:22114?tls=false`);
 const t=performance.now();
 for(let i=0;i<1500;i++) await c.appendToStream('a',Array.from({length:100},(_,j)=>benchEvent(j)));
 console.log(150000/(performance.now()-t)*1000);
 const t2=performance.now();
 for(let i=0;i<3000;i++) await c.appendToStream('a',[benchEvent(i)]);
 console.log(3000/(performance.now()-t2)*1000);
 process.exit()
})();
