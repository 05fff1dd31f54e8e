internal import Contract
internal import Glibc
internal import Store

/// People who each upload several courses at once, with as many points as a file may have.
struct Uploads: NoisyNeighbour {
    private static let points = 40_000
    private static let accounts = 16
    private static let atOnce = 3

    private static func uploader(_ number: Int) -> String { "uploader\(number)" }

    func name(_ settings: NeighbourSettings) -> String {
        "courses of \(Uploads.points) points by \(Uploads.accounts) people"
    }

    func populate(_ population: inout Population) throws {
        let users = (0..<Uploads.accounts).map { Uploads.uploader($0) }
        try population.add(users, groupSize: users.count)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let askers = (0..<Uploads.accounts * Uploads.atOnce).map { number in
            PageAsker(site, from: "198.51.100.\(number % Uploads.accounts + 1)")
        }
        let course = Uploads.course
        return { isOn in
            var answers = AnswerCounts()
            while isOn() {
                for (number, asker) in askers.enumerated() {
                    if !asker.isWaiting {
                        let user = Uploads.uploader(number % Uploads.accounts)
                        try asker.post(
                            "/api/course", token: site.token(of: user),
                            type: "application/gpx+xml", course)
                    }
                    answers.note(asker.answer())
                }
                usleep(2000)
            }
            return "\(answers)"
        }
    }

    /// Turns back at each point, ever farther.
    private static let course: [UInt8] = {
        let track = (0..<points).map { number in
            let longitude = 14_500_000 + (number.isMultiple(of: 2) ? number : -number)
            return #"<trkpt lat="46.\#(100_000 + number)" lon="\#(Double(longitude) / 1e6)"/>"#
        }
        return Array(
            (#"<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><trk><trkseg>"#
                + track.joined() + "</trkseg></trk></gpx>").utf8)
    }()
}
