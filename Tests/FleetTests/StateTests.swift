import Foundation
import TestBroker
import TestSupport
import Testing
import Tracking

@testable import FakeGPS

/// Numbers and kept fixes outlive the fleet.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct StateTests {
    @Test func `The next fleet sends the kept fixes with their numbers`() async throws {
        try await withBroker { broker in
            try await withTemporaryDirectory { directory in
                let file = directory + "/state.json"
                let service = try Service(at: broker, sendsReceipts: true)
                var phone = phone()
                phone.numbersFixes = true
                let configure: (inout Fleet.Options) -> Void = {
                    $0.stateFile = file
                    $0.pace = ReplaySpeed(speed: 100)
                }
                let first = RunningFleet([phone], at: broker, configure: configure)
                try service.waiting { first.progress.confirmed > 20 }
                first.fleet.stop()
                try service.waiting { first.isOver }
                let kept = try #require(try first.result?.get().kept)
                #expect(kept > 20)

                try service.connect()
                let second = RunningFleet([phone], at: broker, configure: configure)
                try service.run { second.isOver }
                #expect(try second.result?.get().receipted == kept + 61)
                let numbers = service.fixes["ann", default: []].compactMap(\.sequence)
                #expect(numbers == Array(1...Int64(kept + 61)))

                let third = RunningFleet([phone], at: broker, configure: configure)
                try service.run { third.isOver }
                #expect(service.fixes["ann"]?.last?.sequence == Int64(kept + 122))
            }
        }
    }

    @Test(arguments: [
        ("{", StateError.malformed), ("{}", .malformed),
        (#"[{"user":"ann","device":"phone"}]"#, .malformed),
        (#"[{"user":"ann","device":"phone","seq":1,"fixes":[{}]}]"#, .malformed),
        (
            #"[{"user":"ann","device":"phone","seq":1,"fixes":["#
                + #"{"latitude":1,"longitude":1,"timestamp":1,"seq":2}]}]"#, .malformed
        ),
    ])
    func `A state file that fake-gps did not write is refused`(text: String, error: StateError)
        async throws
    {
        try await withTemporaryDirectory { directory in
            var options = Fleet.Options()
            options.stateFile = directory + "/state.json"
            try text.write(toFile: directory + "/state.json", atomically: true, encoding: .utf8)
            var phone = phone()
            phone.numbersFixes = true
            let fleet = Fleet([phone], options)
            #expect(throws: error) { try fleet.run() }
        }
    }

    @Test func `A state file that cannot be written is an error`() async throws {
        try await withTemporaryDirectory { directory in
            var options = Fleet.Options()
            options.stateFile = directory + "/nowhere/state.json"
            options.port = 1
            options.patience = .zero
            var phone = phone(on: Track(samples: [sample(0, 1, 1)]))
            phone.numbersFixes = true
            let fleet = Fleet([phone], options)
            #expect(throws: StateError.unwritable) { try fleet.run() }
        }
    }
}
