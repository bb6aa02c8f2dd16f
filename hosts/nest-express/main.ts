import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { createNodeListener } from 'dealwright/node';
import { AppModule } from './app.module.ts';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = await NestFactory.create(AppModule);

app.use('/deals', createNodeListener(dealwright.handler, { resolveCaller: callerOf }));

await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
