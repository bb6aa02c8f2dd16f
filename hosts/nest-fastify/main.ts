import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createNodeListener } from 'dealwright/node';
import { AppModule } from './app.module.ts';
import { dealwright } from './deals.ts';
import { callerOf } from './users.ts';

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());

app.use('/deals', createNodeListener(dealwright.handler, { resolveCaller: callerOf }));

await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
