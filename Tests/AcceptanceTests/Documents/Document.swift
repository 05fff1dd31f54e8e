import Foundation
import Testing

/// A page of the documents, and the code blocks in it.
struct Document {
    struct Block: CustomStringConvertible {
        let document: String
        /// The word after the three backticks.
        let language: String
        let text: String

        /// Its first line, by which the tests identify it.
        var firstLine: String { String(text.prefix { !$0.isNewline }) }
        var description: String { "\(document): \(firstLine)" }
    }

    let name: String
    let blocks: [Block]

    /// - Parameter name: the file's path, relative to the project's directory.
    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOfFile: Document.project + "/" + name, encoding: .utf8)
        blocks = text.matches(of: /(?m)^```(.*)\n((?s).*?)^```$/).map {
            Block(document: name, language: String($0.1), text: String($0.2))
        }
    }

    static let project =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    /// All pages, in reading order: each is linked from an earlier one.
    static let order = [
        "README.md", "docs/first-steps.md", "docs/reference.md", "docs/clients.md",
        "docs/services.md", "docs/emergency.md", "docs/runs.md", "docs/places.md",
        "docs/installing.md", "docs/production.md", "docs/proxies.md", "docs/backups.md",
        "docs/upgrading.md", "docs/monitoring.md", "docs/faults.md", "docs/growing.md",
        "docs/ldap.md", "docs/postgresql.md", "docs/cluster.md", "docs/privacy.md",
        "docs/owntracks.md", "docs/map.md",
        "docs/home-assistant.md", "docs/recipes.md", "docs/configuration.md",
        "docs/performance.md",
        "docs/stillness.md", "docs/simulation.md", "docs/glossary.md", "CONTRIBUTING.md",
        "docs/adding.md", "docs/source.md",
    ]

    /// Blocks of commands that the tests do not run, and why.
    static let exceptions: [(document: String, firstLine: String, reason: String)] = [
        ("README.md", "tools/test", "it is what runs the tests"),
        (
            "docs/postgresql.md", "createuser --pwprompt kith",
            "needs a server of its own: RevocationTests and LostAlertTests use one"
        ),
        (
            "docs/postgresql.md",
            #"kith move --to "postgresql://kith@db.example/kith"     # prints the rows of each table"#,
            "needs a server of its own: PostgreSQLTests copy there and back"
        ),
        (
            "docs/cluster.md", "apt-get install -y ./kith_*.deb",
            "needs two machines: StandbyTests use two data directories"
        ),
        (
            "docs/cluster.md", "kithctl check-config",
            "needs two machines: StandbyTests use two data directories"
        ),
        (
            "docs/recipes.md",
            #"observer=observer:…             # `username` of observer.create"#,
            "asks a server on the internet"
        ),
        (
            "docs/installing.md",
            #"tools/package                        # .build/package/kith_VERSION_ARCHITECTURE.deb, and a tarball"#,
            "takes minutes"
        ),
        (
            "docs/installing.md", #"apt-get install -y ./kith_*.deb"#,
            "needs a machine of its own: tools/try-package does it"
        ),
        (
            "docs/installing.md",
            #"echo 'KITH_OPTIONS="--for-phones home.example.org"' >>/etc/default/kith"#,
            "needs a machine of its own: tools/try-package does it"
        ),
        (
            "docs/installing.md",
            #"kithctl user add ann --name Ann && kithctl user add ben --name Ben"#,
            "needs a machine of its own: tools/try-package does it"
        ),
        (
            "docs/installing.md",
            #"cp /var/lib/kith/certificates/ca.crt .                 # what phones trust; also at /ca.crt on the page"#,
            "needs a machine of its own: tools/try-package does it"
        ),
        (
            "docs/installing.md",
            #"curl -sN --max-time 20 --cacert ca.crt -H "Authorization: Bearer $BEN" \"#,
            "needs a machine of its own: tools/try-package does it"
        ),
        (
            "docs/installing.md", #"systemctl disable --now kith"#,
            "needs systemd: tools/try-package does it in one of its own"
        ),
        (
            "docs/services.md", #"tools/heart-rate-service myheart "$TOKEN" ann"#,
            "goes on until its person ends it: ServiceProgramTests does it"
        ),
        (
            "docs/home-assistant.md",
            #"curl -s http://127.0.0.1:8080/api/observer.create -H "Authorization: Bearer $TOKEN" \"#,
            "takes a group of the reader's: HomeAssistantTests does it over MQTT"
        ),
        (
            "docs/home-assistant.md",
            #"kith home-assistant --group GROUP --token observer.token \"#,
            "goes on until it is ended, at others' addresses: HomeAssistantTests does it here"
        ),
        (
            "docs/stillness.md", "tools/measure stays --recordings ../shared/data",
            "takes recordings that are not part of the repository"
        ),
        (
            "docs/production.md",
            "kith up --for-phones home.example.org       # or an IPv4 address: 192.168.178.23",
            "takes ports 8883, 8084 and 8443: ForPhonesTests does it on others"
        ),
        (
            "docs/proxies.md", "apt-get install -y nginx certbot",
            "asks a public authority: ProxyTests runs the rest"
        ),
        ("docs/proxies.md", "apt-get install -y caddy", "needs root: tools/test does it"),
        ("docs/proxies.md", "apt-get install -y apache2", "needs root: ProxyTests runs the rest"),
        (
            "docs/proxies.md", "apt-get install -y certbot",
            "asks a public authority: ForPhonesTests starts with a certificate of such a one"
        ),
        (
            "docs/proxies.md", "#!/bin/sh",
            "takes the package's user, and a certificate of a public authority: ProxyTests runs it"
        ),
        (
            "docs/production.md",
            "tools/certificates kith-data/certificates home.example.org 192.0.2.5   "
                + "# names and addresses",
            "takes ports 8883 and 8084, and refuses root: ProductionTests does it elsewhere"
        ),
        (
            "docs/production.md",
            #"mosquitto_sub -h home.example.org -p 8883 --cafile ca.crt -u ann -P "$TOKEN" \"#,
            "that host is nobody's: ProductionTests does it on this one"
        ),
        (
            "docs/production.md",
            "useradd --system --create-home --home-dir /var/lib/kith kith",
            "makes a user of the operating system"
        ),
        (
            "docs/backups.md",
            "systemctl stop kith                           # no bridge may run; the broker may",
            "needs systemd: BackupTests restores without"
        ),
        ("docs/backups.md", "#!/bin/sh", "asks a server on the internet"),
        (
            "docs/backups.md", "systemctl enable --now kith-rehearsal.timer",
            "needs systemd: PackagingTests rehearses without"
        ),
        (
            "docs/backups.md",
            #"restic dump latest kith.db >"/var/backups/kith/kith-$(date -u +%FT%H%M%SZ).db""#,
            "needs systemd, and a repository"
        ),
        (
            "docs/upgrading.md",
            "kithctl doctor                                # fix what it reports first",
            "needs systemd: BackupTests brings a database of an earlier version up to date"
        ),
        (
            "docs/upgrading.md", "systemctl stop kith",
            "needs systemd: BackupTests goes back without"
        ),
        (
            "docs/upgrading.md",
            "systemctl stop kith                           "
                + "# also Mosquitto, if it is a service of its own", "needs systemd, and two hosts"
        ),
        ("docs/performance.md", "swift build -c release", "takes minutes"),
        (
            "docs/performance.md",
            #".build/release/kith-dev bench neighbours --only "questions about" --seconds 30 "#
                + "--connections 50 --timers 15", "takes minutes"
        ),
        (
            "docs/performance.md",
            #"kith-dev bench neighbours --seconds 6 --patience 20 --only "place.list,for 64,run.edit,friend.share,observer.create,vital signs,chat to""#,
            "takes minutes"
        ),
        ("docs/performance.md", "tools/measure answer-times", "takes minutes"),
        (
            "docs/performance.md",
            "tools/measure disk-figures                  # 400 fixes a second for a minute",
            "takes minutes"
        ),
        (
            "docs/performance.md",
            "tools/measure call-times                # 1,000 incidents of 20 people, and fixes beside",
            "takes minutes"
        ),
        (
            "docs/performance.md", "tools/measure sos-times               # 100 members, ten calls",
            "takes minutes"
        ),
        (
            "docs/performance.md",
            ".build/release/kith-dev bench neighbours        # about twelve minutes",
            "takes minutes"
        ),
        (
            "docs/performance.md", "tools/measure page-figures      # 5 and 40 people who move",
            "takes minutes"
        ),
        (
            "docs/performance.md",
            #".build/release/kith-dev bench neighbours --only "500 " --seconds 30 "#
                + "--connections 50 --timers 15", "takes minutes"
        ),
    ]

    static func isException(_ block: Block) -> Bool {
        exceptions.contains { $0.document == block.document && $0.firstLine == block.firstLine }
    }

    /// All blocks of commands that are run, in order.
    static func commands() throws -> [Block] {
        try order.flatMap { try Document($0).blocks }
            .filter { $0.language == "sh" && !isException($0) }
    }
}
