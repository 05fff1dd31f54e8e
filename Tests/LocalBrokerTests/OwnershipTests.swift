import TestSupport
import Testing

@testable import LocalBroker

struct OwnershipTests {
    @Test func `A directory with a living owner cannot be taken`() async throws {
        try await withTemporaryDirectory { directory in
            let owner = try #require(try Ownership(of: directory))
            #expect(try await Ownership.take(directory) == nil)
            withExtendedLifetime(owner) {}
        }
    }

    @Test func `A directory released a moment later is taken then`() async throws {
        try await withTemporaryDirectory { directory in
            var owner: Ownership? = try Ownership(of: directory)
            async let next = Ownership.take(directory)
            try await Task.sleep(for: .milliseconds(20))
            #expect(owner != nil)
            owner = nil
            #expect(try await next != nil)
        }
    }
}
