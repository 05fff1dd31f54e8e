import Foundation
import Fuzzing
import Glibc
import MQTT
import Testing
import Web

/// Replays every input that fuzzing has found worth keeping.
struct CorpusTests {
    private static let directory =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Fuzz/Corpus"
    /// The processor time that a single input may take in this unoptimised build.
    private static let patience = Duration.seconds(2)

    /// This thread's: it does not advance while the machine does something else.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func inputs(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = "\(directory)/\(target)"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        try #require(!names.isEmpty, "\(target)")
        return try names.map { name in
            let url = URL(fileURLWithPath: "\(folder)/\(name)")
            return (name, Array(try Data(contentsOf: url)))
        }
    }

    /// The outcome of an input.
    private struct Outcome: Sendable {
        let name: String
        /// The promise that it breaks.
        let broken: String?
        let time: Duration
    }

    private static func outcome(of bytes: [UInt8], _ name: String, _ target: FuzzTarget) -> Outcome
    {
        let start = processorTime
        var broken: String?
        do { try target.run(bytes) } catch { broken = "\(error)" }
        return Outcome(name: name, broken: broken, time: processorTime - start)
    }

    @Test(arguments: FuzzTarget.all)
    func `Every corpus input keeps the promises within a bounded time`(_ target: FuzzTarget)
        async throws
    {
        let inputs = try CorpusTests.inputs(target)
        // On a thread of its own: some targets wait for tasks, which need those of the pool.
        let outcomes = try await onThread(named: "fuzz") {
            inputs.map { CorpusTests.outcome(of: $0.bytes, $0.name, target) }
        }
        for outcome in outcomes {
            #expect(outcome.broken == nil, "\(target)/\(outcome.name)")
            #expect(outcome.time < CorpusTests.patience, "\(target)/\(outcome.name)")
        }
    }

    @Test func `No input exceeds the maximum length of its target`() throws {
        for target in FuzzTarget.all {
            for (name, bytes) in try CorpusTests.inputs(target) {
                #expect(bytes.count <= target.maximumLength, "\(target)/\(name)")
            }
        }
    }

    /// The town is reused, since it takes long to build.
    @Test func `A reused town gives the same result as a new one`() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "turn" })
        for (name, bytes) in try CorpusTests.inputs(target) {
            let published = try Turns.publications(bytes, inNewHousehold: true)
            #expect(!published.isEmpty, "\(name)")
            #expect(try Turns.publications(bytes, inNewHousehold: false) == published, "\(name)")
        }
    }

    @Test(arguments: WebRoute.all.map(\.path))
    func `The corpus has a request for every route of the page`(_ path: String) throws {
        let http = try #require(FuzzTarget.all.first { $0.name == "http" })
        let verbs = Set(WebRoute.all.filter { $0.path == path }.flatMap(\.verbs))
        let pattern = path.split(separator: "/", omittingEmptySubsequences: false)
        let requests = try CorpusTests.inputs(http).map { input in
            String(decoding: input.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
                .split(separator: " ")
        }
        #expect(
            requests.contains { words in
                guard words.count == 2, verbs.contains(String(words[0])) else { return false }
                let levels = words[1].prefix { $0 != "?" }
                    .split(separator: "/", omittingEmptySubsequences: false)
                return path == "/**"
                    || levels.count == pattern.count
                        && zip(levels, pattern).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
            })
    }

    @Test func `Corpus directories and fuzz targets match`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: CorpusTests.directory)
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }
}
