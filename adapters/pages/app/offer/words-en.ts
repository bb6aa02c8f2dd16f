/** The words of the freelancer's page. */
export const en = {
  from: (client: string) => `Offer from ${client}`,
  fromNobody: 'Offer for you',
  trouble: {
    missing: 'This address has no offer in it',
    missingHelp: 'Open the link from your message again, whole, up to its last character.',
    unknown: 'This link is not valid, or not any more',
    unknownHelp: 'Check that the link is whole. If it is, ask whoever sent it for a new one.',
  },
  next: {
    created: 'Read the offer. Then accept it, propose other terms, or decline.',
    theirProposal: 'The client proposes other terms.',
    theirAgreement: 'The client proposes an agreement that ends the deal.',
    ownProposal: (day: string) =>
      `Your proposal is open. The client can answer until ${day}; until then the deal stays as it is.`,
    accepted: 'You can deliver once the client has secured the payment. Your days count from then.',
    acceptedUntil: (day: string) => `Do the work, upload your files, and deliver by ${day}.`,
    late: (day: string) => `The work was due on ${day}. Deliver it as soon as you can.`,
    changes: 'Read what should change, upload new files, and deliver again.',
    delivered: 'The client checks your work, and approves it or asks for changes.',
    approved: 'The work is approved. The client is asked to pay; then your payout is sent.',
    scheduled: 'The work is approved, and your payout is about to be sent.',
    processing: 'Your payout is on its way to your account.',
    stuck: (host: string) =>
      `A payout did not reach you. Tell ${host} the right account: then it is sent again.`,
    cancelled: 'The deal has ended. There is nothing for you to do.',
    expired:
      'Nobody accepted the offer in time. Ask the client for a new one if you want the work.',
    other: 'There is nothing for you to do now.',
  },
  ended: {
    by: (who: string) => `Ended by: ${who}`,
    refund: 'What the client paid and was not paid out to you goes back to the client.',
    contact: (host: string) =>
      `Questions? ${host} can be reached by the links at the end of this page.`,
  },
  rights: {
    full_transfer: 'With the payment, all copyright in the work passes to the client.',
    license: 'The copyright stays yours. The client gets a licence to use the work.',
    none: 'No copyright passes to the client.',
  },
  pay: {
    heading: 'Your pay',
    net: 'You get',
    fee: 'Fee',
    agreed: 'Agreed',
  },
  work: 'Your work',
  message: 'Message to the client',
  who: {
    partner: 'Client',
    freelancer: 'You',
    operator: 'Marketplace',
    clock: 'By itself',
    payments: 'By itself',
  },
  accept: {
    open: 'Accept the offer',
    help: 'You agree to exactly this:',
    action: 'Yes, I accept',
    done: 'You have accepted the offer.',
  },
  decline: {
    open: 'Decline',
    openLater: 'Give the deal back',
    help: 'The deal ends, and the client is told. This cannot be undone.',
    done: 'You have ended the deal.',
  },
  dispute: {
    open: 'Open a dispute',
    help: (host: string) =>
      `The deal stops, and ${host} decides. Say what is wrong; the client reads it, too.`,
    done: 'The dispute is open.',
  },
  deliver: {
    open: 'Deliver',
    done: 'Your work is delivered.',
    help: 'The client then checks it. Upload all files before.',
  },
  propose: {
    open: 'Propose other terms',
    help: 'Change what should be different. Nothing changes before the client accepts.',
  },
  settle: {
    open: 'Propose an agreement',
    help: 'Name the amount, before the fee, for all that is not paid yet. If the client accepts, it is paid and the deal ends.',
  },
  amountBefore: 'Amount before the fee',
  theirs: 'The client proposes other terms',
  theirAgreement: 'The client proposes an agreement',
  payouts: 'Payouts',
  print: 'Print as a receipt',
  safe: 'This page is for you alone. Do not pass its link on: whoever has it can answer in your place.',
};
