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
  main(1, 'Software development', 'Tworzenie oprogramowania', [
    [21, 'Web applications', 'Aplikacje webowe'],
    [22, 'Backend and APIs', 'Backend i API'],
    [23, 'Frontend development', 'Frontend'],
    [24, 'Mobile apps', 'Aplikacje mobilne'],
    [25, 'Desktop software', 'Aplikacje desktopowe'],
    [26, 'Game development', 'Tworzenie gier'],
    [27, 'Software testing and QA', 'Testowanie oprogramowania i QA'],
    [28, 'Embedded systems and IoT', 'Systemy wbudowane i IoT'],
  ]),
  main(2, 'Websites and e-commerce', 'Strony internetowe i e-commerce', [
    [29, 'Business websites', 'Strony firmowe'],
    [30, 'Landing pages', 'Strony typu landing page'],
    [31, 'Online stores', 'Sklepy internetowe'],
    [32, 'CMS setup and customization', 'Wdrożenia i modyfikacje CMS'],
    [33, 'HTML and CSS coding', 'Kodowanie HTML i CSS'],
    [34, 'Website maintenance', 'Opieka nad stronami WWW'],
    [35, 'Online store integrations', 'Integracje sklepów internetowych'],
  ]),
  main(3, 'IT infrastructure and security', 'Infrastruktura IT i cyberbezpieczeństwo', [
    [36, 'Server administration', 'Administracja serwerami'],
    [37, 'Cloud and DevOps', 'Chmura i DevOps'],
    [38, 'Computer networks', 'Sieci komputerowe'],
    [39, 'Security audits and testing', 'Audyty i testy bezpieczeństwa'],
    [40, 'Hosting, domains and email', 'Hosting, domeny i poczta'],
    [41, 'Technical support', 'Wsparcie techniczne'],
    [42, 'Backup and data recovery', 'Backup i odzyskiwanie danych'],
  ]),
  main(4, 'Data and artificial intelligence', 'Dane i sztuczna inteligencja', [
    [43, 'Data analysis', 'Analiza danych'],
    [44, 'Machine learning', 'Uczenie maszynowe'],
    [45, 'Chatbots and AI assistants', 'Chatboty i asystenci AI'],
    [46, 'Databases', 'Bazy danych'],
    [47, 'Reports and dashboards', 'Raporty i dashboardy'],
    [48, 'Web scraping', 'Web scraping'],
    [49, 'Process automation', 'Automatyzacja procesów'],
  ]),
  main(5, 'Graphic design and UX', 'Grafika i UX', [
    [50, 'Logos and visual identity', 'Logo i identyfikacja wizualna'],
    [51, 'UI and UX design', 'Projektowanie UI i UX'],
    [52, 'Social media graphics', 'Grafiki do social mediów'],
    [53, 'Print design', 'Projekty do druku'],
    [54, 'Illustrations', 'Ilustracje'],
    [55, 'Packaging and labels', 'Opakowania i etykiety'],
    [56, 'Presentations and infographics', 'Prezentacje i infografiki'],
    [57, 'Typesetting and layout', 'Skład i łamanie tekstu (DTP)'],
  ]),
  main(6, 'Video, animation and photography', 'Wideo, animacja i fotografia', [
    [58, 'Video editing', 'Montaż wideo'],
    [59, 'Video production', 'Produkcja wideo'],
    [60, '2D animation and motion design', 'Animacja 2D i motion design'],
    [61, '3D modeling and animation', 'Modelowanie i animacja 3D'],
    [62, 'Product photography', 'Fotografia produktowa'],
    [63, 'Portrait and event photos', 'Fotografia portretowa i eventowa'],
    [64, 'Photo retouching', 'Retusz zdjęć'],
  ]),
  main(7, 'Audio and music', 'Dźwięk i muzyka', [
    [65, 'Voice-over', 'Nagrania lektorskie'],
    [66, 'Music composition', 'Komponowanie muzyki'],
    [67, 'Mixing and mastering', 'Miks i mastering'],
    [68, 'Podcast production', 'Produkcja podcastów'],
    [69, 'Sound design', 'Sound design'],
    [70, 'Audiobooks', 'Audiobooki'],
    [71, 'Jingles and audio ads', 'Dżingle i reklamy audio'],
  ]),
  main(8, 'Writing and editing', 'Teksty i redakcja', [
    [72, 'Articles and blog posts', 'Artykuły i wpisy na bloga'],
    [73, 'Product descriptions', 'Opisy produktów'],
    [74, 'SEO content', 'Teksty SEO'],
    [75, 'Copywriting', 'Copywriting'],
    [76, 'Proofreading and editing', 'Korekta i redakcja tekstów'],
    [77, 'Scripts and screenplays', 'Scenariusze'],
    [78, 'Technical writing', 'Dokumentacja techniczna'],
  ]),
  main(9, 'Translation and languages', 'Tłumaczenia i języki', [
    [79, 'General translation', 'Tłumaczenia ogólne'],
    [80, 'Sworn translation', 'Tłumaczenia przysięgłe'],
    [81, 'Technical translation', 'Tłumaczenia techniczne'],
    [82, 'Legal translation', 'Tłumaczenia prawnicze'],
    [83, 'Interpreting', 'Tłumaczenia ustne'],
    [84, 'Website and app localization', 'Lokalizacja stron i aplikacji'],
    [85, 'Transcription and subtitles', 'Transkrypcje i napisy'],
  ]),
  main(10, 'Marketing and advertising', 'Marketing i reklama', [
    [86, 'Search engine optimization', 'Pozycjonowanie stron (SEO)'],
    [87, 'Paid ad campaigns (PPC)', 'Płatne kampanie reklamowe (PPC)'],
    [88, 'Social media management', 'Prowadzenie social mediów'],
    [89, 'Email marketing', 'E-mail marketing'],
    [90, 'Marketing strategy', 'Strategia marketingowa'],
    [91, 'Influencer marketing and PR', 'Influencer marketing i PR'],
    [92, 'Web analytics', 'Analityka internetowa'],
  ]),
  main(11, 'Administration and sales', 'Administracja i sprzedaż', [
    [93, 'Virtual assistance', 'Wirtualna asysta'],
    [94, 'Data entry', 'Wprowadzanie danych'],
    [95, 'Customer service', 'Obsługa klienta'],
    [96, 'Telemarketing', 'Telemarketing'],
    [97, 'Lead generation', 'Pozyskiwanie leadów'],
    [98, 'Online research', 'Research w internecie'],
    [99, 'Online listing management', 'Obsługa ofert internetowych'],
  ]),
  main(12, 'Business, finance and law', 'Biznes, finanse i prawo', [
    [100, 'Accounting and taxes', 'Księgowość i podatki'],
    [101, 'Contracts and legal documents', 'Umowy i dokumenty prawne'],
    [102, 'Legal advice', 'Porady prawne'],
    [103, 'Business plans and grants', 'Biznesplany i dotacje'],
    [104, 'Financial analysis', 'Analizy finansowe'],
    [105, 'Project management', 'Zarządzanie projektami'],
    [106, 'Recruitment and HR', 'Rekrutacja i HR'],
  ]),
  main(13, 'Engineering and architecture', 'Inżynieria i architektura', [
    [107, 'Architectural design', 'Projekty architektoniczne'],
    [108, 'Interior design', 'Projektowanie wnętrz'],
    [109, 'Technical drawings and CAD', 'Rysunki techniczne i CAD'],
    [110, 'Mechanical engineering', 'Konstrukcja maszyn i urządzeń'],
    [111, 'Electronics and PCB design', 'Elektronika i projekty PCB'],
    [112, 'Construction cost estimates', 'Kosztorysy budowlane'],
    [113, 'Architectural visualization', 'Wizualizacje architektoniczne'],
  ]),
  main(14, 'Education and training', 'Edukacja i szkolenia', [
    [114, 'Tutoring', 'Korepetycje'],
    [115, 'Foreign language lessons', 'Lekcje języków obcych'],
    [116, 'Corporate training', 'Szkolenia dla firm'],
    [117, 'E-learning courses', 'Kursy e-learningowe'],
    [118, 'Coaching and mentoring', 'Coaching i mentoring'],
    [119, 'Teaching materials', 'Materiały dydaktyczne'],
    [120, 'Webinars and workshops', 'Webinary i warsztaty'],
  ]),
];

type Row = readonly [id: number, en: string, pl: string];

/* @__NO_SIDE_EFFECTS__ */
function main(id: number, en: string, pl: string, rows: readonly Row[]): CategoryTree[number] {
  const subcategories = rows.map(([id, en, pl]) => ({ id, name: { en, pl } }));
  return { id, name: { en, pl }, subcategories };
}
