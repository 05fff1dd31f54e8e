internal import Glibc
internal import Numbers
internal import Store

/// Forty addresses without an account that query the page constantly, while others log in from
/// addresses that have not tried yet.
struct GuestFlood: NoisyNeighbour {
    enum Errand {
        case entering
        case reading
    }

    let errand: Errand

    private static let addresses = 40
    private static let atOnce = 4
    private static let newcomers = 64
    /// Logins per second of the others.
    private static let rate = 4.0
    private static let password = "let me in, please"
    /// With a cost that even a debug build can bear.
    private static let hash =
        "$scrypt$ln=10,r=8,p=3$AQIDBAUGBwgJCgsMDQ4PEA$iUns0WtLXIsiSwG1g9ECj+K4UIsIUj2E7NVhKB793K4"

    func name(_ settings: NeighbourSettings) -> String {
        "\(GuestFlood.addresses) addresses that \(errand == .entering ? "log in" : "read") as guests"
    }

    var environment: [String: String] { ["KITH_ACCOUNTS_PASSWORD_COST": "10"] }

    private static func newcomer(_ number: Int) -> String { "newcomer\(number % newcomers)" }

    func populate(_ population: inout Population) throws {
        for number in 0..<GuestFlood.newcomers {
            let user = GuestFlood.newcomer(number)
            try population.add([user], groupSize: 1)
            try population.setPasswordHash(GuestFlood.hash, of: user)
        }
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let askers = (0..<GuestFlood.addresses * GuestFlood.atOnce).map { number in
            PageAsker(site, from: "198.51.100.\(number % GuestFlood.addresses + 1)")
        }
        return { [errand] isOn in
            let start = ContinuousClock.now
            var newcomers: [PageAsker] = []
            var (asked, came) = (0, 0)
            var (answers, logins) = (AnswerCounts(), AnswerCounts())
            var delays: [Int64] = []
            func hear() {
                for answer in newcomers.compactMap({ $0.answer() }) {
                    logins.note(answer)
                    guard answer.status == 200 else { continue }
                    delays.append(Int64(clamping: answer.after.seconds * 1e3))
                }
                newcomers.removeAll { !$0.isWaiting }
            }
            while isOn() {
                for asker in askers {
                    if !asker.isWaiting {
                        asked += 1
                        try GuestFlood.ask(errand, asked, by: asker)
                    }
                    answers.note(asker.answer())
                }
                let due = (ContinuousClock.now - start).seconds * GuestFlood.rate
                while came < Int(clamping: due) {
                    let asker = PageAsker(site, from: "203.0.113.\(came % 250 + 1)")
                    try GuestFlood.logIn(
                        GuestFlood.newcomer(came), GuestFlood.password, by: asker)
                    newcomers.append(asker)
                    came += 1
                }
                hear()
                usleep(1000)
            }
            // Logins that have begun may take longer.
            let end = ContinuousClock.now
            while !newcomers.isEmpty, .now - end < .seconds(site.settings.patience) {
                hear()
                usleep(1000)
            }
            let times = delays.sorted()
            let spread =
                times.isEmpty
                ? "" : " after \(times[times.count / 2]) to \(times[times.count - 1]) ms"
            return "\(asked) requests, \(answers); \(came) others log in, \(logins)\(spread)"
        }
    }

    /// - Parameter number: makes each request differ from those that the page has answered.
    private static func ask(_ errand: Errand, _ number: Int, by asker: PageAsker) throws {
        switch errand {
        case .entering: try logIn("nobody\(number)", "not the password", by: asker)
        case .reading: try asker.post("/api/run.get", Array(#"{"run":"run\#(number)"}"#.utf8))
        }
    }

    private static func logIn(_ user: String, _ password: String, by asker: PageAsker) throws {
        try asker.post(
            "/api/account.login",
            Array(#"{"login":"\#(user)","password":"\#(password)","device":"browser"}"#.utf8))
    }
}
