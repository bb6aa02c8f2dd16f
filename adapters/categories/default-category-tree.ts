import type { CategoryTree } from 'dealwright/ports';

/**
 * The default two-level tree of freelance work, named in English and Polish.
 *
 * The ids are stable: they are never reused or renumbered, and new ones are added at the end.
 *
 * @example
 * ```ts
 * import { defaultCategoryTree } from 'dealwright/categories';
 *
 * const subcategories = defaultCategoryTree.flatMap((category) => category.subcategories);
 * subcategories.find(({ id }) => id === 75)?.name.pl; // 'Copywriting'
 * ```
 */
export const defaultCategoryTree: CategoryTree = [
  {
    id: 1,
    name: { en: 'Software development', pl: 'Tworzenie oprogramowania' },
    subcategories: [
      { id: 21, name: { en: 'Web applications', pl: 'Aplikacje webowe' } },
      { id: 22, name: { en: 'Backend and APIs', pl: 'Backend i API' } },
      { id: 23, name: { en: 'Frontend development', pl: 'Frontend' } },
      { id: 24, name: { en: 'Mobile apps', pl: 'Aplikacje mobilne' } },
      { id: 25, name: { en: 'Desktop software', pl: 'Aplikacje desktopowe' } },
      { id: 26, name: { en: 'Game development', pl: 'Tworzenie gier' } },
      { id: 27, name: { en: 'Software testing and QA', pl: 'Testowanie oprogramowania i QA' } },
      { id: 28, name: { en: 'Embedded systems and IoT', pl: 'Systemy wbudowane i IoT' } },
    ],
  },
  {
    id: 2,
    name: { en: 'Websites and e-commerce', pl: 'Strony internetowe i e-commerce' },
    subcategories: [
      { id: 29, name: { en: 'Business websites', pl: 'Strony firmowe' } },
      { id: 30, name: { en: 'Landing pages', pl: 'Strony typu landing page' } },
      { id: 31, name: { en: 'Online stores', pl: 'Sklepy internetowe' } },
      { id: 32, name: { en: 'CMS setup and customization', pl: 'Wdrożenia i modyfikacje CMS' } },
      { id: 33, name: { en: 'HTML and CSS coding', pl: 'Kodowanie HTML i CSS' } },
      { id: 34, name: { en: 'Website maintenance', pl: 'Opieka nad stronami WWW' } },
      { id: 35, name: { en: 'Online store integrations', pl: 'Integracje sklepów internetowych' } },
    ],
  },
  {
    id: 3,
    name: { en: 'IT infrastructure and security', pl: 'Infrastruktura IT i cyberbezpieczeństwo' },
    subcategories: [
      { id: 36, name: { en: 'Server administration', pl: 'Administracja serwerami' } },
      { id: 37, name: { en: 'Cloud and DevOps', pl: 'Chmura i DevOps' } },
      { id: 38, name: { en: 'Computer networks', pl: 'Sieci komputerowe' } },
      { id: 39, name: { en: 'Security audits and testing', pl: 'Audyty i testy bezpieczeństwa' } },
      { id: 40, name: { en: 'Hosting, domains and email', pl: 'Hosting, domeny i poczta' } },
      { id: 41, name: { en: 'Technical support', pl: 'Wsparcie techniczne' } },
      { id: 42, name: { en: 'Backup and data recovery', pl: 'Backup i odzyskiwanie danych' } },
    ],
  },
  {
    id: 4,
    name: { en: 'Data and artificial intelligence', pl: 'Dane i sztuczna inteligencja' },
    subcategories: [
      { id: 43, name: { en: 'Data analysis', pl: 'Analiza danych' } },
      { id: 44, name: { en: 'Machine learning', pl: 'Uczenie maszynowe' } },
      { id: 45, name: { en: 'Chatbots and AI assistants', pl: 'Chatboty i asystenci AI' } },
      { id: 46, name: { en: 'Databases', pl: 'Bazy danych' } },
      { id: 47, name: { en: 'Reports and dashboards', pl: 'Raporty i dashboardy' } },
      { id: 48, name: { en: 'Web scraping', pl: 'Web scraping' } },
      { id: 49, name: { en: 'Process automation', pl: 'Automatyzacja procesów' } },
    ],
  },
  {
    id: 5,
    name: { en: 'Graphic design and UX', pl: 'Grafika i UX' },
    subcategories: [
      { id: 50, name: { en: 'Logos and visual identity', pl: 'Logo i identyfikacja wizualna' } },
      { id: 51, name: { en: 'UI and UX design', pl: 'Projektowanie UI i UX' } },
      { id: 52, name: { en: 'Social media graphics', pl: 'Grafiki do social mediów' } },
      { id: 53, name: { en: 'Print design', pl: 'Projekty do druku' } },
      { id: 54, name: { en: 'Illustrations', pl: 'Ilustracje' } },
      { id: 55, name: { en: 'Packaging and labels', pl: 'Opakowania i etykiety' } },
      { id: 56, name: { en: 'Presentations and infographics', pl: 'Prezentacje i infografiki' } },
      { id: 57, name: { en: 'Typesetting and layout', pl: 'Skład i łamanie tekstu (DTP)' } },
    ],
  },
  {
    id: 6,
    name: { en: 'Video, animation and photography', pl: 'Wideo, animacja i fotografia' },
    subcategories: [
      { id: 58, name: { en: 'Video editing', pl: 'Montaż wideo' } },
      { id: 59, name: { en: 'Video production', pl: 'Produkcja wideo' } },
      { id: 60, name: { en: '2D animation and motion design', pl: 'Animacja 2D i motion design' } },
      { id: 61, name: { en: '3D modeling and animation', pl: 'Modelowanie i animacja 3D' } },
      { id: 62, name: { en: 'Product photography', pl: 'Fotografia produktowa' } },
      { id: 63, name: { en: 'Portrait and event photos', pl: 'Fotografia portretowa i eventowa' } },
      { id: 64, name: { en: 'Photo retouching', pl: 'Retusz zdjęć' } },
    ],
  },
  {
    id: 7,
    name: { en: 'Audio and music', pl: 'Dźwięk i muzyka' },
    subcategories: [
      { id: 65, name: { en: 'Voice-over', pl: 'Nagrania lektorskie' } },
      { id: 66, name: { en: 'Music composition', pl: 'Komponowanie muzyki' } },
      { id: 67, name: { en: 'Mixing and mastering', pl: 'Miks i mastering' } },
      { id: 68, name: { en: 'Podcast production', pl: 'Produkcja podcastów' } },
      { id: 69, name: { en: 'Sound design', pl: 'Sound design' } },
      { id: 70, name: { en: 'Audiobooks', pl: 'Audiobooki' } },
      { id: 71, name: { en: 'Jingles and audio ads', pl: 'Dżingle i reklamy audio' } },
    ],
  },
  {
    id: 8,
    name: { en: 'Writing and editing', pl: 'Teksty i redakcja' },
    subcategories: [
      { id: 72, name: { en: 'Articles and blog posts', pl: 'Artykuły i wpisy na bloga' } },
      { id: 73, name: { en: 'Product descriptions', pl: 'Opisy produktów' } },
      { id: 74, name: { en: 'SEO content', pl: 'Teksty SEO' } },
      { id: 75, name: { en: 'Copywriting', pl: 'Copywriting' } },
      { id: 76, name: { en: 'Proofreading and editing', pl: 'Korekta i redakcja tekstów' } },
      { id: 77, name: { en: 'Scripts and screenplays', pl: 'Scenariusze' } },
      { id: 78, name: { en: 'Technical writing', pl: 'Dokumentacja techniczna' } },
    ],
  },
  {
    id: 9,
    name: { en: 'Translation and languages', pl: 'Tłumaczenia i języki' },
    subcategories: [
      { id: 79, name: { en: 'General translation', pl: 'Tłumaczenia ogólne' } },
      { id: 80, name: { en: 'Sworn translation', pl: 'Tłumaczenia przysięgłe' } },
      { id: 81, name: { en: 'Technical translation', pl: 'Tłumaczenia techniczne' } },
      { id: 82, name: { en: 'Legal translation', pl: 'Tłumaczenia prawnicze' } },
      { id: 83, name: { en: 'Interpreting', pl: 'Tłumaczenia ustne' } },
      { id: 84, name: { en: 'Website and app localization', pl: 'Lokalizacja stron i aplikacji' } },
      { id: 85, name: { en: 'Transcription and subtitles', pl: 'Transkrypcje i napisy' } },
    ],
  },
  {
    id: 10,
    name: { en: 'Marketing and advertising', pl: 'Marketing i reklama' },
    subcategories: [
      { id: 86, name: { en: 'Search engine optimization', pl: 'Pozycjonowanie stron (SEO)' } },
      { id: 87, name: { en: 'Paid ad campaigns (PPC)', pl: 'Płatne kampanie reklamowe (PPC)' } },
      { id: 88, name: { en: 'Social media management', pl: 'Prowadzenie social mediów' } },
      { id: 89, name: { en: 'Email marketing', pl: 'E-mail marketing' } },
      { id: 90, name: { en: 'Marketing strategy', pl: 'Strategia marketingowa' } },
      { id: 91, name: { en: 'Influencer marketing and PR', pl: 'Influencer marketing i PR' } },
      { id: 92, name: { en: 'Web analytics', pl: 'Analityka internetowa' } },
    ],
  },
  {
    id: 11,
    name: { en: 'Administration and sales', pl: 'Administracja i sprzedaż' },
    subcategories: [
      { id: 93, name: { en: 'Virtual assistance', pl: 'Wirtualna asysta' } },
      { id: 94, name: { en: 'Data entry', pl: 'Wprowadzanie danych' } },
      { id: 95, name: { en: 'Customer service', pl: 'Obsługa klienta' } },
      { id: 96, name: { en: 'Telemarketing', pl: 'Telemarketing' } },
      { id: 97, name: { en: 'Lead generation', pl: 'Pozyskiwanie leadów' } },
      { id: 98, name: { en: 'Online research', pl: 'Research w internecie' } },
      { id: 99, name: { en: 'Online listing management', pl: 'Obsługa ofert internetowych' } },
    ],
  },
  {
    id: 12,
    name: { en: 'Business, finance and law', pl: 'Biznes, finanse i prawo' },
    subcategories: [
      { id: 100, name: { en: 'Accounting and taxes', pl: 'Księgowość i podatki' } },
      { id: 101, name: { en: 'Contracts and legal documents', pl: 'Umowy i dokumenty prawne' } },
      { id: 102, name: { en: 'Legal advice', pl: 'Porady prawne' } },
      { id: 103, name: { en: 'Business plans and grants', pl: 'Biznesplany i dotacje' } },
      { id: 104, name: { en: 'Financial analysis', pl: 'Analizy finansowe' } },
      { id: 105, name: { en: 'Project management', pl: 'Zarządzanie projektami' } },
      { id: 106, name: { en: 'Recruitment and HR', pl: 'Rekrutacja i HR' } },
    ],
  },
  {
    id: 13,
    name: { en: 'Engineering and architecture', pl: 'Inżynieria i architektura' },
    subcategories: [
      { id: 107, name: { en: 'Architectural design', pl: 'Projekty architektoniczne' } },
      { id: 108, name: { en: 'Interior design', pl: 'Projektowanie wnętrz' } },
      { id: 109, name: { en: 'Technical drawings and CAD', pl: 'Rysunki techniczne i CAD' } },
      { id: 110, name: { en: 'Mechanical engineering', pl: 'Konstrukcja maszyn i urządzeń' } },
      { id: 111, name: { en: 'Electronics and PCB design', pl: 'Elektronika i projekty PCB' } },
      { id: 112, name: { en: 'Construction cost estimates', pl: 'Kosztorysy budowlane' } },
      { id: 113, name: { en: 'Architectural visualization', pl: 'Wizualizacje architektoniczne' } },
    ],
  },
  {
    id: 14,
    name: { en: 'Education and training', pl: 'Edukacja i szkolenia' },
    subcategories: [
      { id: 114, name: { en: 'Tutoring', pl: 'Korepetycje' } },
      { id: 115, name: { en: 'Foreign language lessons', pl: 'Lekcje języków obcych' } },
      { id: 116, name: { en: 'Corporate training', pl: 'Szkolenia dla firm' } },
      { id: 117, name: { en: 'E-learning courses', pl: 'Kursy e-learningowe' } },
      { id: 118, name: { en: 'Coaching and mentoring', pl: 'Coaching i mentoring' } },
      { id: 119, name: { en: 'Teaching materials', pl: 'Materiały dydaktyczne' } },
      { id: 120, name: { en: 'Webinars and workshops', pl: 'Webinary i warsztaty' } },
    ],
  },
];
