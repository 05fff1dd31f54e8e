import Contract
import EarlyWarning
import Testing
import Tracking

@testable import Store

/// How a person whose vital signs are monitored is stored, and an incident's details.
struct MonitoredDocumentTests {
    /// The versions that have such documents.
    static let versions = 3...Document.newest

    @Test(arguments: Stored.documents("monitored", since: 3), versions)
    func `A monitored person of any version is read and written in the newest`(
        _ name: String, _ version: Int
    ) throws {
        let monitored = try Document.monitored(try Stored.document(name, version: version))
        let newest = try Stored.document(name, version: Document.newest)
        #expect(Document.text(monitored) == newest)
        #expect(try Document.monitored(newest) == monitored)
    }

    @Test(arguments: Stored.documents("incident", since: 3), versions)
    func `An incident of any version is read and written in the newest`(
        _ name: String, _ version: Int
    ) throws {
        let details = try Document.incidentDetails(try Stored.document(name, version: version))
        let newest = try Stored.document(name, version: Document.newest)
        #expect(Document.text(details) == newest)
        #expect(try Document.incidentDetails(newest) == details)
    }

    /// - Parameter seed: of a life with values of all kinds, answers and help.
    @Test(arguments: UInt64(0)..<30)
    func `A stored monitor continues unchanged`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let limits = MonitoringLimits()
        var now = Timestamp(milliseconds: 1_795_345_072_708)
        var monitor = Monitor(at: now)
        var states: Set<String> = []
        for _ in 0..<200 {
            let monitored = Monitored(
                monitor: monitor, thresholds: [.pulse: OwnThreshold(low: nil, high: 150.5)],
                phone: "112", groups: seed % 3 == 0 ? nil : [.init(rawValue: Int64(seed))])
            let read = try Document.monitored(Document.text(monitored))
            #expect(read == monitored)
            var copy = read.monitor
            now = now + .milliseconds(Int64.random(in: 0...20_000, using: &random))
            let parameter = Parameter.allCases.randomElement(using: &random) ?? .pulse
            let value = Double(Int.random(in: 0...200, using: &random)) / 2
            let reading = Reading(parameter, value, at: now)
            let exertion = Int.random(in: 0..<10, using: &random) == 0 ? now : nil
            let effects = monitor.receive([reading], exertionAt: exertion, at: now, limits)
            #expect(copy.receive([reading], exertionAt: exertion, at: now, limits) == effects)
            #expect(copy == monitor)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: _ = monitor.answerFine(at: now, limits)
            case 1: _ = monitor.noteAssistance(at: now)
            case 2: _ = monitor.reactivate(at: now, limits)
            default: break
            }
            states.insert(monitor.state.name)
        }
        #expect(states.count >= 3, "the life says little: \(states)")
    }
}
