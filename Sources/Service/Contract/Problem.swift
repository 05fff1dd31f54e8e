public import JSON

/// A refusal that a client can act on: problem details (RFC 9457).
public struct Problem: Error, Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case malformed
        case invalid
        case unknownMethod = "unknown-method"
        case notAllowed = "not-allowed"
        case notAMember = "not-a-member"
        case unknownUser = "unknown-user"
        case unknownGroup = "unknown-group"
        case unknownAlert = "unknown-alert"
        case unknownInvitation = "unknown-invitation"
        case registrationClosed = "registration-closed"
        case invitationOver = "invitation-over"
        case alreadyAMember = "already-a-member"
        case notAFriend = "not-a-friend"
        case alreadyOnAJourney = "already-on-a-journey"
        case notOnAJourney = "not-on-a-journey"
        case alreadyInSOS = "already-in-sos"
        case notInSOS = "not-in-sos"
        case wrongCredentials = "wrong-credentials"
        case secondFactorRequired = "second-factor-required"
        case directoryUnreachable = "directory-unreachable"
        case unknownLink = "unknown-link"
        case tooManyAttempts = "too-many-attempts"
        case unknownDevice = "unknown-device"
        case unknownPasskey = "unknown-passkey"
        case unknownRequest = "unknown-request"
        case unknownService = "unknown-service"
        case unknownChannel = "unknown-channel"
        case wrongCode = "wrong-code"
        case diskFull = "disk-full"
        case tooLarge = "too-large"
        case tooMany = "too-many"
        case tooOld = "too-old"
        case idAlreadyUsed = "id-already-used"
        case noConsent = "no-consent"
        case cohortTooSmall = "cohort-too-small"
        case cohortTooRevealing = "cohort-too-revealing"
        case unknownCohort = "unknown-cohort"
        case notMonitored = "not-monitored"
        case notAsked = "not-asked"
        case notInNeed = "not-in-need"
        case unknownIncident = "unknown-incident"
        case unknownRun = "unknown-run"
        case runFull = "run-full"
        case runStarted = "run-started"
        case runFinished = "run-finished"
        case runCancelled = "run-cancelled"
        case enrolmentClosed = "enrolment-closed"
        case notEnrolled = "not-enrolled"
        case notAnOrganiser = "not-an-organiser"
        case unknownPlace = "unknown-place"
        case unknownReminder = "unknown-reminder"
        case unknownRule = "unknown-rule"
        case unknownObserver = "unknown-observer"
    }

    /// A field with an unacceptable value, by its path: `destination.latitude`, `[3].timestamp`.
    public struct FieldError: Hashable, Sendable {
        public var field: String
        public var reason: String

        public init(field: String, reason: String) {
            self.field = field
            self.reason = reason
        }
    }

    public var kind: Kind
    public var detail: String
    public var errors: [FieldError]

    public init(_ kind: Kind, _ detail: String, errors: [FieldError] = []) {
        self.kind = kind
        self.detail = detail
        self.errors = errors
    }

    public init(_ error: JSONError) {
        self.init(.malformed, "This is not valid JSON: \(error.reason), at byte \(error.offset).")
    }

    /// Keeps only the first of very many fields: the answer to a small message must not be large.
    public init(invalid errors: [FieldError]) {
        let told = Array(errors.prefix(Problem.maximumErrors))
        let fields = told.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
        let rest = errors.count > told.count ? " and more" : ""
        self.init(.invalid, "Some fields are not valid: \(fields)\(rest).", errors: told)
    }

    private static let maximumErrors = 64

    /// The error for a missing field that its reader did not refuse.
    public static let incomplete = Problem(.invalid, "Some fields are not valid.")

    public var type: String { "urn:kith:problem:\(kind.rawValue)" }

    public var title: String {
        switch kind {
        case .malformed: "The payload cannot be read"
        case .invalid: "Some fields are not valid"
        case .unknownMethod: "There is no such method"
        case .notAllowed: "This is not allowed"
        case .notAMember: "Not a member of that group"
        case .unknownUser: "There is no such user"
        case .unknownGroup: "There is no such group"
        case .unknownAlert: "There is no such alert"
        case .unknownInvitation: "There is no such invitation"
        case .registrationClosed: "Registration is restricted here"
        case .invitationOver: "The invitation is no longer valid"
        case .alreadyAMember: "Already a member of that group"
        case .notAFriend: "Not on your list of friends"
        case .alreadyOnAJourney: "Already on a journey"
        case .notOnAJourney: "Not on a journey"
        case .alreadyInSOS: "Already in an emergency"
        case .notInSOS: "Not in an emergency"
        case .wrongCredentials: "Wrong user name or password"
        case .secondFactorRequired: "A second-factor code is required"
        case .directoryUnreachable: "Your organisation's directory does not answer"
        case .unknownLink: "The link is no longer valid"
        case .tooManyAttempts: "Too many attempts"
        case .unknownDevice: "There is no such device"
        case .unknownPasskey: "There is no such passkey"
        case .unknownRequest: "There is no such request"
        case .unknownService: "There is no such service"
        case .unknownChannel: "There is no such channel"
        case .wrongCode: "Wrong code"
        case .diskFull: "The service's disk is full"
        case .tooLarge: "Too large"
        case .tooMany: "Too many"
        case .tooOld: "Too old"
        case .idAlreadyUsed: "Another request has this id"
        case .noConsent: "There is no consent for this"
        case .cohortTooSmall: "Too few people"
        case .cohortTooRevealing: "The answer would reveal too much"
        case .unknownCohort: "There is no such subscription"
        case .notMonitored: "Your vital signs are not watched"
        case .notAsked: "There is no question to answer"
        case .notInNeed: "No help was called"
        case .unknownIncident: "There is no such incident"
        case .unknownRun: "There is no such run"
        case .runFull: "The run is full"
        case .runStarted: "The run has started"
        case .runFinished: "The run is over"
        case .runCancelled: "The run is cancelled"
        case .enrolmentClosed: "Enrolment is closed"
        case .notEnrolled: "You are not taking part in that run"
        case .notAnOrganiser: "You are not a run organiser yet"
        case .unknownPlace: "There is no such place"
        case .unknownReminder: "There is no such reminder"
        case .unknownRule: "There is no such rule"
        case .unknownObserver: "There is no such program"
        }
    }

    /// The matching HTTP status code.
    public var status: Int {
        switch kind {
        case .malformed: 400
        case .invalid, .tooOld: 422
        case .unknownMethod, .unknownUser, .unknownGroup, .unknownAlert, .unknownInvitation,
            .unknownDevice, .unknownPasskey, .unknownChannel, .unknownLink, .unknownRequest,
            .unknownService, .unknownCohort, .unknownIncident, .unknownRun, .unknownPlace,
            .unknownReminder, .unknownRule, .unknownObserver:
            404
        case .notAllowed, .notAMember, .notAFriend, .wrongCode, .noConsent, .cohortTooSmall,
            .cohortTooRevealing, .notAnOrganiser, .registrationClosed:
            403
        case .alreadyAMember, .alreadyOnAJourney, .notOnAJourney, .alreadyInSOS, .notInSOS,
            .idAlreadyUsed, .notMonitored, .notAsked, .notInNeed, .runFull, .runStarted,
            .enrolmentClosed, .notEnrolled:
            409
        case .invitationOver, .runFinished, .runCancelled: 410
        case .tooLarge: 413
        case .wrongCredentials, .secondFactorRequired: 401
        case .tooMany, .tooManyAttempts: 429
        case .directoryUnreachable: 503
        case .diskFull: 507
        }
    }
}

extension Problem {
    static let payload = Payload<Problem>(
        "Problem",
        .init("type", .text) { $0.type },
        .init("title", .text) { $0.title },
        .init("status", .integer(400...599)) { $0.status },
        .init("detail", .text) { $0.detail },
        .init(
            "errors",
            .list(
                of: .object(
                    .init("field", .text) { $0.field }, .init("reason", .text) { $0.reason }))
        ) { $0.errors.isEmpty ? nil : $0.errors })
}

extension JSONWriter {
    public mutating func problem(_ problem: Problem) { object(Problem.payload, problem) }
}
