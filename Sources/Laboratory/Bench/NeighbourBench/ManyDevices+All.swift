internal import Clocks
internal import Contract
internal import Sealing
internal import Store
internal import Tracking

/// Workloads that cost memory and time elsewhere: long lists that are searched, and the effects of
/// a fix or a request on many others.
extension ManyDevices {
    static let all = [
        search(places: 500), search(places: 10_000), services, runners, friends, observers, vitals,
        chat, junkAlerts, junkNotices,
    ]

    private static let most = 16

    private static func search(places: Int) -> ManyDevices {
        ManyDevices(
            name: "place.list of \(most) devices, \(places) places", user: "seeker", devices: most,
            people: { population, user in
                try population.addLoner(user, groups: 1)
                try population.add(places: places)
            },
            message: { _, _, number in
                ("requests/place.list", #"{"text":"nowhere \#(number)","open":true}"#)
            })
    }

    /// 500 fixes in an array, each of which 64 services receive.
    private static let services = ManyDevices(
        name: "fixes for 64 services", user: "donor", rate: 4,
        people: { population, user in
            try population.addLoner(user, groups: 1)
            try population.subscribe(services: 64, to: user)
        },
        message: { site, _, number in
            let start = site.since - .seconds(20 * 3_600)
            let fixes = (0..<500).map { place in
                let time = (start + .milliseconds((number * 500 + place) * 500)).milliseconds
                return #"{"latitude":46.1,"longitude":14.5,"timestamp":\#(time)}"#
            }
            return ("fix", "[\(fixes.joined(separator: ","))]")
        })

    private static let runners = ManyDevices(
        name: "run.edit with 2,000 runners", user: "director", rate: 5,
        people: { population, user in
            try population.addLoner(user, groups: 1)
            try population.addRun(of: user, runners: 2_000)
        },
        message: { _, _, number in
            (
                "requests/run.edit",
                #"{"run":"benchrun","place":{"name":"Start \#(number)","latitude":46.1,"longitude":14.5}}"#
            )
        })

    private static let friends = ManyDevices(
        name: "friend.share with 499", user: "sharer", rate: 5,
        people: { population, user in
            try population.addLoner(user, groups: 1)
            try population.addFriends(499, of: user)
        },
        message: { _, _, number in
            (
                "requests/friend.\(number.isMultiple(of: 2) ? "share" : "unshare")",
                #"{"with":"all"}"#
            )
        })

    private static let observers = ManyDevices(
        name: "observer.create in a group of 900", user: LargeGroup.fellow(0), rate: 2,
        people: { population, _ in try LargeGroup.populate(&population, count: 900) },
        message: { site, user, number in
            (
                "requests/observer.create",
                #"{"group":"\#(site.group(of: user))","name":"Screen \#(number)"}"#
            )
        })

    private static let keyFile: String = {
        var random = SystemRandomNumberGenerator()
        return SealingKeys.newLine(1, using: &random)
    }()

    private static let vitals = ManyDevices(
        name: "vital signs of \(most) devices", user: "patient", devices: most,
        environment: ["KITH_KEYS_VITALS": keyFile],
        people: { population, user in
            try population.addLoner(user, groups: 1)
            try population.consentToVitals(user)
        },
        message: { site, _, number in
            let start = site.since - .seconds(20 * 3_600)
            let samples = (0..<100).map { place in
                let time = (start + .milliseconds((number * 100 + place) * 50)).milliseconds
                return #"{"timestamp":\#(time),"heartRate":\#(60 + place % 20)}"#
            }
            return ("vitals", "[\(samples.joined(separator: ","))]")
        })

    private static let junkAlerts = ManyDevices(
        name: "junk alerts to 100 phones that are away", user: LargeGroup.fellow(0),
        absent: (1...100).map { LargeGroup.fellow($0) },
        people: { population, _ in try LargeGroup.populate(&population, count: 101) },
        message: { site, _, number in
            guard number.isMultiple(of: 2) else { return ("requests/journey.stop", "{}") }
            let eta = site.since.milliseconds + 3_600_000
            return ("requests/journey.start", #"{"groups":"all","eta":\#(eta)}"#)
        })

    private static let junkNotices = ManyDevices(
        name: "friend.share and unshare with one", user: "nagger",
        people: { population, user in
            try population.addLoner(user, groups: 1)
            try population.addFriends(1, of: user)
        },
        message: { _, _, number in
            (
                "requests/friend.\(number.isMultiple(of: 2) ? "share" : "unshare")",
                #"{"with":["friend0"]}"#
            )
        })

    private static let text = String(repeating: "\u{1F600}", count: 4_000)

    private static let chat = ManyDevices(
        name: "chat to 372 connections", user: LargeGroup.fellow(0), rate: 10,
        readers: (1...372).map { LargeGroup.fellow($0) },
        people: { population, _ in try LargeGroup.populate(&population, count: 373) },
        message: { site, user, _ in
            ("requests/chat.send", #"{"group":"\#(site.group(of: user))","text":"\#(text)"}"#)
        })
}
