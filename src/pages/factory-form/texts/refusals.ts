import type { InEveryFormLocale } from '../../locale.js';

/** Why a field was refused. */
export interface RefusalTexts {
  readonly required: string;
  readonly wholeNumber: string;
  readonly above: (limit: string) => string;
  readonly atLeast: (limit: string) => string;
  readonly atMost: (limit: string) => string;
  readonly below: (limit: string) => string;
  readonly tooLong: (limit: string) => string;
  readonly day: string;
  readonly choice: string;
  readonly characters: string;
  readonly nothing: string;
}

export const REFUSAL_TEXTS: InEveryFormLocale<RefusalTexts> = {
  en: {
    required: 'Fill this in, or leave the whole row empty.',
    wholeNumber: 'Write a whole number.',
    above: (limit) => `Must be more than ${limit}.`,
    atLeast: (limit) => `Must be at least ${limit}.`,
    atMost: (limit) => `Must be at most ${limit}.`,
    below: (limit) => `Must be less than ${limit}.`,
    tooLong: (limit) => `At most ${limit} characters.`,
    day: 'Write a day of the calendar, such as 2026-05-31.',
    choice: 'Choose an entry of the list.',
    characters: 'Contains characters that cannot be stored. Please type it again.',
    nothing: 'Nothing has been filled in yet: at least one figure besides the notes is needed.',
  },
  de: {
    required: 'Füllen Sie dieses Feld aus, oder lassen Sie die ganze Zeile leer.',
    wholeNumber: 'Schreiben Sie eine ganze Zahl.',
    above: (limit) => `Muss größer als ${limit} sein.`,
    atLeast: (limit) => `Muss mindestens ${limit} sein.`,
    atMost: (limit) => `Darf höchstens ${limit} sein.`,
    below: (limit) => `Muss kleiner als ${limit} sein.`,
    tooLong: (limit) => `Höchstens ${limit} Zeichen.`,
    day: 'Schreiben Sie einen Tag des Kalenders, zum Beispiel 2026-05-31.',
    choice: 'Wählen Sie einen Eintrag der Liste.',
    characters: 'Enthält Zeichen, die sich nicht speichern lassen. Bitte tippen Sie es noch einmal.',
    nothing: 'Es ist noch nichts ausgefüllt: Mindestens eine Angabe außer den Anmerkungen wird gebraucht.',
  },
  fr: {
    required: 'Remplissez ce champ, ou laissez toute la ligne vide.',
    wholeNumber: 'Écrivez un nombre entier.',
    above: (limit) => `Doit être supérieur à ${limit}.`,
    atLeast: (limit) => `Doit être d’au moins ${limit}.`,
    atMost: (limit) => `Doit être d’au plus ${limit}.`,
    below: (limit) => `Doit être inférieur à ${limit}.`,
    tooLong: (limit) => `${limit} caractères au plus.`,
    day: 'Écrivez un jour du calendrier, par exemple 2026-05-31.',
    choice: 'Choisissez un élément de la liste.',
    characters: 'Contient des caractères impossibles à enregistrer. Veuillez le saisir à nouveau.',
    nothing: 'Rien n’est encore rempli : il faut au moins une donnée en plus des remarques.',
  },
  it: {
    required: 'Compilate questo campo, o lasciate vuota tutta la riga.',
    wholeNumber: 'Scrivete un numero intero.',
    above: (limit) => `Deve essere maggiore di ${limit}.`,
    atLeast: (limit) => `Deve essere almeno ${limit}.`,
    atMost: (limit) => `Deve essere al massimo ${limit}.`,
    below: (limit) => `Deve essere minore di ${limit}.`,
    tooLong: (limit) => `Al massimo ${limit} caratteri.`,
    day: 'Scrivete un giorno del calendario, per esempio 2026-05-31.',
    choice: 'Scegliete una voce dell’elenco.',
    characters: 'Contiene caratteri che non si possono salvare. Scrivetelo di nuovo.',
    nothing: 'Non è ancora compilato nulla: serve almeno un dato oltre alle note.',
  },
  es: {
    required: 'Rellene este campo o deje vacía toda la fila.',
    wholeNumber: 'Escriba un número entero.',
    above: (limit) => `Debe ser mayor que ${limit}.`,
    atLeast: (limit) => `Debe ser como mínimo ${limit}.`,
    atMost: (limit) => `Debe ser como máximo ${limit}.`,
    below: (limit) => `Debe ser menor que ${limit}.`,
    tooLong: (limit) => `${limit} caracteres como máximo.`,
    day: 'Escriba un día del calendario, por ejemplo 2026-05-31.',
    choice: 'Elija una opción de la lista.',
    characters: 'Contiene caracteres que no se pueden guardar. Escríbalo de nuevo.',
    nothing: 'Aún no hay nada rellenado: hace falta al menos un dato además de las notas.',
  },
  tr: {
    required: 'Bu alanı doldurun ya da satırın tamamını boş bırakın.',
    wholeNumber: 'Tam sayı yazın.',
    above: (limit) => `Şu değerden büyük olmalı: ${limit}`,
    atLeast: (limit) => `En az ${limit} olmalı.`,
    atMost: (limit) => `En fazla ${limit} olmalı.`,
    below: (limit) => `Şu değerden küçük olmalı: ${limit}`,
    tooLong: (limit) => `En fazla ${limit} karakter.`,
    day: 'Takvimde olan bir gün yazın, örneğin 2026-05-31.',
    choice: 'Listeden bir seçenek seçin.',
    characters: 'Kaydedilemeyen karakterler içeriyor. Lütfen yeniden yazın.',
    nothing: 'Henüz hiçbir şey doldurulmadı: notların dışında en az bir değer gerekli.',
  },
  zh: {
    required: '请填写此项，或将整行留空。',
    wholeNumber: '请填写整数。',
    above: (limit) => `必须大于 ${limit}。`,
    atLeast: (limit) => `不能小于 ${limit}。`,
    atMost: (limit) => `不能大于 ${limit}。`,
    below: (limit) => `必须小于 ${limit}。`,
    tooLong: (limit) => `最多 ${limit} 个字符。`,
    day: '请填写有效日期，例如 2026-05-31。',
    choice: '请从列表中选择。',
    characters: '含有无法保存的字符，请重新输入。',
    nothing: '尚未填写任何内容：除备注外，至少需要一项数据。',
  },
  pt: {
    required: 'Preencha este campo ou deixe a linha inteira em branco.',
    wholeNumber: 'Escreva um número inteiro.',
    above: (limit) => `Tem de ser superior a ${limit}.`,
    atLeast: (limit) => `Tem de ser pelo menos ${limit}.`,
    atMost: (limit) => `Tem de ser no máximo ${limit}.`,
    below: (limit) => `Tem de ser inferior a ${limit}.`,
    tooLong: (limit) => `No máximo ${limit} caracteres.`,
    day: 'Escreva um dia do calendário, por exemplo 2026-05-31.',
    choice: 'Escolha uma opção da lista.',
    characters: 'Contém caracteres que não podem ser guardados. Escreva de novo.',
    nothing: 'Ainda não há nada preenchido: é preciso pelo menos um dado além das observações.',
  },
};
