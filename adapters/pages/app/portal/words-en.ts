/** The words of the portal: its reader is the client. */
export const en = {
  nav: { deals: 'Deals', webhooks: 'Webhooks', feed: 'Events' },
  number: 'Your number of the deal',
  empty: {
    deals: 'There are no deals yet. Make the first offer to a freelancer.',
    webhooks: 'There are no webhooks yet. Add one, and your system is told of each event.',
    noWebhooks: 'There are no webhooks here: use the list of events.',
    tokens: 'You have no API tokens yet. Ask the marketplace for one.',
  },
  create: {
    open: 'New deal',
    heading: 'What the freelancer is offered',
    help: 'The offer is made at once. You then get a link for the freelancer; nothing is to be paid before the offer is accepted.',
    category: 'Category',
    choose: 'Choose',
    language: 'Language of the freelancer',
    send: 'Make the offer',
    done: 'The offer is made.',
    exists: 'You have a deal with this number already.',
    noName: 'Give each part a name.',
    noDays: 'Enter a whole number of days.',
    leftOver:
      'The offer is made, but it is not split into its parts yet. Change its terms to do so.',
  },
  rights: {
    full_transfer: 'With the payment, all copyright in the work passes to you.',
    license: 'The copyright stays with the freelancer. You get a licence to use the work.',
    none: 'No copyright passes to you.',
  },
  message: 'Message to the freelancer',
  who: {
    partner: 'You',
    freelancer: 'Freelancer',
    operator: 'Marketplace',
    clock: 'By itself',
    payments: 'By itself',
  },
  next: {
    created: 'Send the link to the freelancer, and mark the offer as sent.',
    withoutLink: 'Tell the freelancer of the offer, and mark it as sent.',
    invited: 'The freelancer has the offer. Wait for the answer.',
    invitedUntil: (day: string) => `The freelancer has the offer, and can answer until ${day}.`,
    ownProposal: (day: string) =>
      `You have proposed a change. The freelancer can answer until ${day}; until then the deal stays as it is.`,
    theirProposal: 'The freelancer proposes a change.',
    pay: (amount: string) => `${amount} is to be paid by you.`,
    working: 'The freelancer does the work.',
    workingUntil: (day: string) => `The freelancer does the work, and delivers it by ${day}.`,
    late: (day: string) =>
      `The work was due on ${day}. Seven days after that you can cancel the deal, even if it is paid.`,
    lateInPart: (day: string) => `The work was due on ${day}.`,
    delivered: 'Check the work. Then approve it, or ask for changes.',
    approved: 'The work is approved. The freelancer is being paid.',
    cancelled: 'The deal has ended. What you have paid and was not paid out comes back to you.',
    expired: 'Nobody accepted the offer in time. Make a new one if you still need the work.',
  },
  attention: {
    payout_returned: 'A payout came back. The marketplace sees to it.',
    refund_failed: 'A refund did not arrive. The marketplace sees to it.',
  },
  employer_fee: 'Including your fee',
  money: {
    heading: 'Payment',
    total: 'You pay in all',
    requests: 'Your payments',
    payouts: 'Payouts to the freelancer',
  },
  link: {
    open: 'Link for the freelancer',
    label: 'Link to the offer',
    help: 'Give it to the freelancer alone: whoever has it can answer in the place of the freelancer.',
  },
  commands: {
    approve: {
      open: 'Approve the work',
      help: 'You accept what was delivered, and this amount is paid to the freelancer, less the fee of the freelancer. If it is not secured yet, you are asked to pay it. This cannot be undone.',
      done: 'The work is approved.',
    },
    'request-changes': {
      open: 'Ask for changes',
      help: 'The work goes back to the freelancer, who reads your reason and delivers again.',
      done: 'You have asked for changes.',
    },
    invite: {
      open: 'Mark as sent',
      help: 'You confirm that the freelancer has the offer.',
      done: 'The offer is marked as sent.',
    },
    accept: {
      open: 'Accept for the freelancer',
      help: 'You confirm that the freelancer accepts the offer on its current terms.',
      done: 'The offer is accepted.',
    },
    'request-payment': {
      open: 'Ask for the payment again',
      help: 'A new request for what is due now is made, after an earlier one has failed or expired.',
      done: 'The payment is asked for.',
    },
    deliver: {
      open: 'Deliver for the freelancer',
      help: 'You confirm that the uploaded files are the finished work.',
      done: 'The work is delivered.',
    },
    'add-bonus': {
      open: 'Add a bonus',
      help: 'This comes on top of what was agreed, and is paid to the freelancer without an answer.',
      done: 'The bonus is added.',
    },
    dispute: {
      open: 'Open a dispute',
      help: 'The deal stops, and the marketplace decides. Say what is wrong; the freelancer reads it, too.',
      done: 'The dispute is open.',
    },
    decline: {
      open: 'Decline for the freelancer',
      help: 'The deal ends. This cannot be undone.',
      done: 'The deal has ended.',
    },
    cancel: {
      open: 'Cancel the deal',
      help: 'The deal ends, and the freelancer is told. What is secured comes back to you. This cannot be undone.',
      done: 'The deal is cancelled.',
    },
    propose: {
      open: 'Change the terms',
      help: 'Change what should be different. Nothing changes before the freelancer accepts.',
      done: 'It is sent.',
    },
    settle: {
      open: 'Propose an agreement',
      help: 'Name the amount for all that is not paid yet. If the freelancer accepts, it is paid and the deal ends.',
    },
  },
  proposeNow: 'Nobody has accepted the offer yet: what you change takes effect at once.',
  changeNow: 'Change the offer',
  theirs: 'The freelancer proposes a change',
  secret: {
    title: 'The secret of the webhook',
    label: 'Secret',
    help: 'Your system checks with it that a message is from here. Copy it now: it is not shown again.',
    kept: 'I have kept it',
  },
};
