/** The words of the console: its reader is the operator. */
export const en = {
  nav: { today: 'Today', deals: 'Deals', partners: 'Clients', failing: 'Failing' },
  partner: 'Client',
};
