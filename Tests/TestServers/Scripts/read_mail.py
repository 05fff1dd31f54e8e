"""Prints, as JSON, what Python's parser finds in the mails of a file in the mbox format."""
import json
import mailbox
import sys
from email import policy
from email.parser import BytesParser

mails = []
for raw in mailbox.mbox(sys.argv[1]):
    mail = BytesParser(policy=policy.default).parsebytes(raw.as_bytes())
    mails.append({
        "names": [name.lower() for name in mail.keys()],
        "subject": str(mail["Subject"]),
        "from": [[a.display_name, a.addr_spec] for a in mail["From"].addresses],
        "to": [[a.display_name, a.addr_spec] for a in mail["To"].addresses],
        "date": mail["Date"].datetime.isoformat(),
        "id": mail["Message-ID"],
        "automatic": mail["Auto-Submitted"],
        "type": mail.get_content_type() + " " + mail.get_content_charset(),
        "text": mail.get_content(),
        "defects": [str(d) for d in mail.defects]
        + [str(d) for name in mail.keys() for d in mail[name].defects],
    })
print(json.dumps(mails))
