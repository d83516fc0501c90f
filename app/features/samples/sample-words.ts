// The words of the sample data, in four of the product's languages.

export const LANGUAGES = ["en", "fr", "ar", "sw"] as const;

/** Given names and family names in their own script. */
export const NAMES = {
  en: [
    words("Alice Oliver Grace Henry Ivy Noah Ruby Samuel Zoe Theo"),
    words("Adams Baker Carter Dawson Ellis Foster Hughes Morgan Reed Walsh"),
  ],
  fr: [
    words("Amélie Benoît Chloé Étienne Françoise Jérôme Maëlle Noël Océane Rémi"),
    words("Beaulieu Chevalier Dubois Fournier Lefèvre Marchand Perrault Rousseau Thévenet Girard"),
  ],
  ar: [
    words("أمينة خالد ليلى يوسف نور سمير هدى طارق رانيا عمر"),
    words("الحسن منصور القاسم درويش الشامي حداد السيد بركات الخطيب نصار"),
  ],
  sw: [
    words("Amani Baraka Chausiku Imani Juma Neema Rehema Salim Tumaini Zawadi"),
    words("Abdalla Kamau Mwangi Ng'ang'a Njoroge Otieno Shabani Wanjiru Mushi Kileo"),
  ],
} as const;

/** The Arabic names above in Latin letters, for e-mails. */
export const ARABIC_IN_LATIN = [
  words("amina khaled layla youssef nour samir huda tarek rania omar"),
  words("alhassan mansour alqasim darwish alshami haddad alsayed barakat alkhatib nassar"),
] as const;

export const DOMAINS = ["example.com", "example.org", "mail.example.com"];

function words(text: string) {
  return text.split(" ");
}
