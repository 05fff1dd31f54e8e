internal import Glibc
internal import Numbers
internal import Store

/// Forty addresses without an account that ask the page all the time, while others log in from addresses that
/// have not tried yet.
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
    /// As the bridge makes it with its usual settings.
    private static let hash =
        "$scrypt$ln=15,r=8,p=3$AQIDBAUGBwgJCgsMDQ4PEA$K6MyNgwb43BR5zrEwNfv9DfMvKvXFdM/37DIhLhNKRk"

    func name(_ settings: NeighbourSettings) -> String {
        "\(GuestFlood.addresses) addresses that \(errand == .entering ? "log in" : "read") as guests"
    }

    private static func newcomer(_ number: Int) -> String { "newcomer\(number % newcomers)" }

    func populate(_ population: inout Population) throws(StoreError) {
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
            var (asked, refused, came) = (0, 0, 0)
            var (delays, turnedAway): ([Int64], Int) = ([], 0)
            while isOn() {
                for asker in askers {
                    if !asker.isWaiting {
                        asked += 1
                        try GuestFlood.ask(errand, asked, by: asker)
                    }
                    if let answer = asker.answer(), answer.status == 429 { refused += 1 }
                }
                let due = (ContinuousClock.now - start).seconds * GuestFlood.rate
                while came < Int(clamping: due) {
                    let asker = PageAsker(site, from: "203.0.113.\(came % 250 + 1)")
                    try GuestFlood.logIn(
                        GuestFlood.newcomer(came), GuestFlood.password, by: asker)
                    newcomers.append(asker)
                    came += 1
                }
                for answer in newcomers.compactMap({ $0.answer() }) {
                    if answer.status == 200 {
                        delays.append(Int64(clamping: answer.after.seconds * 1e6))
                    } else {
                        turnedAway += 1
                    }
                }
                newcomers.removeAll { !$0.isWaiting }
                usleep(1000)
            }
            let logins = Delays(delays, missing: newcomers.count)
            return
                "\(asked) requests, \(refused) refused; of \(came) others \(delays.count) logged in"
                + " after \(logins.p50 ?? 0) µs (longest \(logins.longest ?? 0)),"
                + " \(turnedAway) turned away, \(logins.missing) waiting"
        }
    }

    /// - Parameter number: so that no answer is one that the page has already.
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
