import { Controller, Get, Module } from '@nestjs/common';

@Controller()
class PageController {
  @Get()
  page() {
    return 'This page is of Nest itself.\n';
  }
}

@Module({ controllers: [PageController] })
export class AppModule {}
