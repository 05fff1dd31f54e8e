internal import Contract
internal import JSON
internal import MQTT
internal import Store

/// A company that asks about thousands of people and a month, repeatedly, as soon as it is
/// answered.
struct CohortQuestions: NoisyNeighbour {
    private let town = CohortTown(people: 5_000, days: 30)

    private static let service = "counter"
    private static let requests = "kith/services/\(service)/requests/cohort.query"
    private static let replies = "kith/services/\(service)/replies"

    func name(_ settings: NeighbourSettings) -> String {
        "questions about \(town.people) people and \(town.days) days"
    }

    /// The questions cost next to nothing, so that the budgets last.
    var environment: [String: String] {
        [
            "KITH_KEYS_VITALS": town.keyFile, "KITH_COHORTS_EPSILON": "0.001",
            "KITH_COHORTS_COMPANY_BUDGET": "1000", "KITH_COHORTS_BUDGET": "1000",
        ]
    }

    func populate(_ population: inout Population) throws {
        try population.add(town, service: CohortQuestions.service)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let client = "service:\(CohortQuestions.service)"
        var options = ConnectionOptions(port: Int32(site.port), clientID: client + ".1")
        options.username = client
        options.password = site.cast.services[CohortQuestions.service]?.text ?? "none"
        let connection = try Connection(options)
        try connection.awaitConnected()
        _ = try connection.subscribe(to: [CohortQuestions.replies], qos: .atMostOnce)
        try connection.release()
        return { [town] isOn in
            var (asked, answered) = (0, 0)
            while isOn() {
                // Another window each time: a repeated question would be answered from the store.
                let from = town.window.lowerBound + asked % 24
                let to = town.window.upperBound - asked / 24
                asked += 1
                let question =
                    #"{"id":"q\#(asked)","from":\#(from * 3_600_000),"to":\#(to * 3_600_000)}"#
                try connection.publish(
                    topic: CohortQuestions.requests, payload: Array(question.utf8),
                    qos: .atLeastOnce)
                try connection.release()
                var isOpen = true
                while isOpen, isOn() {
                    try connection.wait(atMost: 20)
                    for message in connection.receive(atMost: 100) {
                        isOpen = false
                        if JSONValue(parsing: message.payload)?["result"] != nil { answered += 1 }
                    }
                    try connection.release()
                }
            }
            return "\(asked) questions, \(answered) answered with numbers"
        }
    }
}
