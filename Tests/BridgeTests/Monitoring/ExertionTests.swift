import Testing
import Tracking

@testable import Bridge

/// Activities that explain a high pulse.
struct ExertionTests {
    @Test func `Exercise explains a high pulse, and old samples raise no alarm`() throws {
        let world = try World.withWatchedAlice()
        try world.measure(#""heartRate":160,"respiratoryRate":28,"activity":"exercise""#)
        for _ in 1...3 {
            world.sleep(.seconds(30))
            try world.measure(#""heartRate":165,"respiratoryRate":30"#)
        }
        try world.measure(#""heartRate":30,"oxygenSaturation":80"#, ago: .seconds(300))
        try world.pass(.seconds(60))
        #expect(world.published().news == [])
    }

    @Test func `Advancing in a run explains a high pulse, standing still does not`() throws {
        for isRunning in [true, false] {
            let (world, run) = try RaceTests.world(["carol"])
            _ = try world.ask("alice", "vitals.consent")
            #expect(try world.outcome("alice", "emergency.subscribe") == "ok")
            #expect(try world.outcome("alice", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
            try world.pass(.seconds(7_200))
            _ = world.published()
            for second in 1...60 {
                try world.pass(.seconds(3))
                try world.fix("alice", TestFix(isRunning ? second * 10 : 0))
                if second > 10, second.isMultiple(of: 10) {
                    try world.measure(#""heartRate":165,"respiratoryRate":30"#)
                }
            }
            let news = world.published().news.filter { $0.hasPrefix("alice: are") }
            #expect(news.isEmpty == isRunning, "\(isRunning): \(news)")
        }
    }
}
