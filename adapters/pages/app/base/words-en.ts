/** The words that all pages share. */
export const en = {
  language: 'Language',
  loading: 'Loading',
  cancel: 'Back',
  retry: 'Try again',
  optional: 'optional',
  sending: 'Sending',
  host: 'the marketplace',
  failures: {
    offline:
      'There is no connection. What you have typed is kept. Check the network and try again.',
    unavailable:
      'The service does not answer right now. What you have typed is kept. Try again in a minute.',
    slow: 'There were too many requests in a short time. Wait a minute and try again.',
    moved:
      'The deal has changed since this page was loaded. Here is how it is now. What you have typed is kept.',
    fields: 'Check the fields that are marked.',
    missing: 'This does not exist any more.',
    aborted: 'It was cancelled.',
    tooLarge: (limit: string) => `The file is too large. The limit is ${limit}.`,
    other: 'This is not possible now.',
  },
  reasons: {
    no_files: 'Upload at least one file before you deliver.',
    empty_file: 'The file is empty.',
    files_left: 'Some files are not uploaded. Wait for them, or take them out of the list.',
    not_paid: 'The client has not secured the payment yet. This is possible once it is secured.',
    already_paid: 'It is paid already.',
    work_delivered:
      'Work was delivered already, so the deal cannot be given back. You can open a dispute.',
    stage_closed: 'This part takes no files or changes any more.',
    payout_processing: 'A payout is on its way. Wait until it has arrived.',
    amount_out_of_bounds: 'The amount is not possible for this deal.',
    too_many: 'There are too many of these already.',
    stages_required: 'Say for each part what should change.',
    nothing_changed: 'Nothing would change. Change something first.',
    terms_changed: 'The terms have changed since you read them. Read them again before you answer.',
    consent_needed: 'This needs the consent of the other side.',
  },
};
